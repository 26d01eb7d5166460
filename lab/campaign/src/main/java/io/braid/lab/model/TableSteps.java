package io.braid.lab.model;

import io.braid.core.data.Row;
import io.braid.core.transaction.Protocol;
import io.braid.core.transaction.Snapshot;
import io.braid.indexes.Index;
import io.braid.lab.model.Model.Answer;
import io.braid.lab.model.Model.Indexed;
import io.braid.lab.model.Model.Table;
import io.braid.percolator.garbage.CollectionRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Steps on whole tables: create, drop, index, bind to another protocol, collect. */
final class TableSteps {
  private static final int MOST_MOMENTS = 12;

  private final Run run;
  private final Checks checks;

  TableSteps(Run run, Checks checks) {
    this.run = run;
    this.checks = checks;
  }

  void create(String name) {
    Protocol protocol = run.any(List.of(Protocol.values()));
    Optional<Table> there = run.model.table(name);
    boolean done =
        run.does(
            "create " + name + " " + protocol,
            Answer.of(there.isPresent() && there.get().protocol != protocol),
            () -> run.db.ensureTable(name, protocol, "f", "g"),
            "IllegalArgument");
    if (done && there.isEmpty()) {
      Table made = run.model.create(name, protocol, run.now());
      // An observer outlives the table.
      made.observedSince = run.model.observed.contains(name) ? made.born : 0;
    }
  }

  void drop() {
    String name = run.anyTable();
    boolean done =
        run.does(
            "drop " + name,
            Answer.of(run.model.hasGroups(name)),
            () -> run.db.dropTable(name),
            "Group");
    if (done) {
      run.model.tables.remove(name);
      Run.rows(name).forEach(run.model.joined::remove);
    }
  }

  void switchProtocol() {
    String name = run.anyTable();
    Optional<Table> table = run.model.table(name);
    Protocol other =
        table.isPresent() && table.get().protocol == Protocol.OMID
            ? Protocol.PERCOLATOR
            : Protocol.OMID;
    boolean done =
        run.does(
            "switch " + name + " to " + other,
            Answer.of(table.isEmpty() || run.model.hasGroups(name)),
            () -> run.db.tables().switchProtocol(name, other),
            "UnknownTable",
            "Group");
    if (done) {
      table.orElseThrow().protocol = other;
      table.orElseThrow().fence = run.now();
    }
  }

  void index(Index.Kind kind) {
    Optional<String> living = run.anyLiving();
    if (living.isEmpty()) {
      return;
    }
    Table table = run.model.there(living.get());
    if (!table.indexes.isEmpty()) {
      dropIndex(table);
      return;
    }
    String name = run.name("i");
    Answer refused =
        run.model.hasGroups(living.get())
            ? Answer.YES
            : kind == Index.Kind.UNIQUE ? duplicates(living.get()) : Answer.NO;
    List<Index> made = new ArrayList<>();
    boolean done =
        run.does(
            "index " + name + " of " + living.get() + " " + kind,
            refused,
            () ->
                made.add(
                    run.db.indexes().create(name, living.get(), Run.A.name(), kind, seen -> {})),
            "Group",
            "DuplicateValue");
    long now = run.now();
    table.fence = now;
    if (done) {
      table.indexes.put(name, new Indexed(made.get(0), now));
    }
  }

  private void dropIndex(Table table) {
    String name = table.indexes.firstKey();
    run.say("drop index " + name);
    if (!run.db.indexes().drop(name)) {
      throw run.wrong("Index " + name + " was not there.");
    }
    table.indexes.remove(name);
    table.fence = run.now();
  }

  private Answer duplicates(String table) {
    Set<String> values = new HashSet<>();
    for (Row row : Run.rows(table)) {
      Optional<String> value = run.model.newest(Run.cell(row, Run.A));
      if (value.isPresent() && !values.add(value.get())) {
        return Answer.YES;
      }
    }
    return Answer.NO;
  }

  /** Notes a moment to come back to, or comes back to one. */
  void timeTravel() {
    if (run.moments.isEmpty() || run.chance(40)) {
      run.moments.add(run.now());
      run.say("moment " + run.moments.get(run.moments.size() - 1));
      if (run.moments.size() > MOST_MOMENTS) {
        run.moments.remove(0);
      }
      if (run.chance(20)) {
        pin();
      }
      return;
    }
    long moment = run.any(run.moments);
    run.does(
        "look back to " + moment,
        run.keeps(moment) ? Answer.NO : Answer.MAYBE,
        () -> {
          try (Snapshot then = run.db.transactions().snapshotAt(moment)) {
            checks.everything(then, "snapshot at " + moment);
          }
        },
        "SnapshotTooOld");
  }

  private void pin() {
    long moment = run.any(run.moments);
    if (moment > run.collected) {
      run.say("pin " + moment);
      run.db.transactions().pin(run.name("p"), moment);
      run.pinned.add(moment);
    }
  }

  void collect() {
    run.say("collect");
    CollectionRequest all = CollectionRequest.keep(Duration.ZERO);
    run.db.operations().collector().collect(all, each -> {}, () -> false);
    run.collected = run.now();
  }

  void look() {
    String what = "look";
    run.say(what);
    try (Snapshot now = run.db.snapshot()) {
      checks.everything(now, what);
    }
  }
}
