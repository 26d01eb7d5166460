package io.braid.lab.model;

import io.braid.Braid;
import io.braid.backup.Backup;
import io.braid.batch.job.JobState;
import io.braid.batch.job.JobView;
import io.braid.batch.job.LoadJob;
import io.braid.batch.job.LoadOptions;
import io.braid.batch.mapping.Mapping;
import io.braid.changes.feed.Change;
import io.braid.changes.feed.ChangeBatch;
import io.braid.changes.feed.ChangeFeed;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.Snapshot;
import io.braid.lab.model.Model.Answer;
import io.braid.lab.model.Model.Cell;
import io.braid.lab.model.Model.Table;
import io.braid.lab.model.Model.Version;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Transfers in bulk, in and out: loads, change feeds, backups. */
final class CopySteps {
  private static final Set<String> OWNERS = Set.of("OWNER", "LOCK");

  private final Run run;
  private final Checks checks;

  CopySteps(Run run, Checks checks) {
    this.run = run;
    this.checks = checks;
  }

  /** Loads rows into a table, unless a group or a unique index prevents the load. */
  void load(LoadOptions options) {
    Optional<String> living = run.anyLiving();
    if (living.isEmpty() || run.model.hasGroups(living.get()) || run.model.isUnique(living.get())) {
      return;
    }
    Map<Cell, Optional<String>> values = new LinkedHashMap<>();
    StringBuilder text = new StringBuilder("id,a,b\n");
    for (Row row : Run.rows(living.get())) {
      if (run.chance(50)) {
        String a = "v" + run.random.nextInt(Run.values().size() - 1);
        String b = "b" + run.random.nextInt(1000);
        values.put(Run.cell(row, Run.A), Optional.of(a));
        values.put(Run.cell(row, Run.B), Optional.of(b));
        text.append(row.key().toUtf8()).append(',').append(a).append(',').append(b).append('\n');
      }
    }
    String id = run.name("job");
    long from = run.db.oracle().lastIssued() + 1;
    boolean done =
        run.does(
            "load " + id + " into " + living.get() + " " + values.keySet() + " " + options.atomic(),
            options.snapshot().algorithm().usesSnapshots() ? Answer.MAYBE : Answer.NO,
            () -> load(id, living.get(), text.toString(), options),
            "Job",
            "IllegalArgument");
    long to = run.now();
    if (options.atomic() || options.snapshot().algorithm().usesSnapshots()) {
      run.model.there(living.get()).epoch = to;
    }
    if (done) {
      values.forEach((cell, value) -> run.model.write(cell, new Version(from, to, value)));
    }
  }

  private void load(String id, String table, String text, LoadOptions options) {
    try {
      Path input = Files.writeString(run.directory.resolve(id + ".csv"), text);
      LoadJob job =
          LoadJob.create(
              run.db.loads(),
              run.directory.resolve("jobs"),
              id,
              table,
              List.of(input),
              Mapping.ofFamily(List.of("id"), "f"),
              options);
      JobState.Phase phase = job.run(JobView.NONE).state().phase();
      if (phase != JobState.Phase.DONE) {
        throw run.wrong("Load " + id + " ended as " + phase + ".");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Keeps the changes of a table, or reads all that were kept. */
  void feed() {
    Optional<String> living = run.anyLiving();
    if (living.isEmpty()) {
      return;
    }
    Table table = run.model.there(living.get());
    if (table.changesSince == 0) {
      run.say("keep changes of " + living.get());
      table.changesSince = run.db.changes().keep(living.get(), Duration.ofDays(1));
      table.epoch = run.now();
    } else {
      read(living.get(), table.changesSince);
    }
  }

  private void read(String table, long since) {
    run.say("read changes of " + table);
    ChangeFeed feed = run.db.changes(table, null);
    feed.catchUp();
    Map<Cell, Optional<String>> told = new HashMap<>();
    long last = 0;
    ChangeBatch batch = feed.next(3);
    while (!batch.changes().isEmpty()) {
      for (Change change : batch.changes()) {
        if (change.commit() < last) {
          throw run.wrong("Changes come out of order: " + change + " after " + last);
        }
        last = change.commit();
        change
            .columns()
            .forEach(
                (column, value) ->
                    told.put(
                        new Cell(change.row(), column),
                        Optional.ofNullable(value).map(bytes -> bytes.toUtf8())));
      }
      batch = feed.next(3);
    }
    long resolved = batch.resolved();
    for (Row row : Run.rows(table)) {
      for (Column<String> column : Run.COLUMNS) {
        Cell cell = Run.cell(row, column);
        String what = "feed of " + table + ": " + cell;
        if (told.containsKey(cell)) {
          run.requireOneOf(what, run.model.visible(cell, Long.MAX_VALUE - 1), told.get(cell));
        } else if (run.model.versions(cell).stream()
            .anyMatch(each -> each.from() > since && each.to() <= resolved)) {
          throw run.wrong(what + " tells nothing of " + Run.brief(run.model.newest(cell)));
        }
      }
    }
  }

  /** Makes a backup and looks into it. */
  void backup() {
    Path copy = restored();
    try (Braid db = Braid.open(copy);
        Snapshot now = db.snapshot()) {
      if (!db.groups().list().isEmpty()) {
        throw run.wrong("A copy has groups: " + db.groups().list());
      }
      run.model.tables.forEach(
          (name, table) ->
              checks.table(now, name, "copy", cell -> run.model.visible(cell, Long.MAX_VALUE - 1)));
    }
  }

  /** Goes on in a copy: what groups have acknowledged is in it, and they have ended. */
  void restore() {
    Path copy = restored();
    run.moveTo(copy);
    long now = run.now();
    run.model
        .groups
        .values()
        .forEach(
            group -> {
              run.model.shipped(group, now);
              group.rows.forEach(row -> run.model.joined.put(row, now));
            });
    run.model.groups.clear();
    // A copy is asked for its own past only.
    run.collected = now;
    run.pinned.clear();
  }

  /**
   * Goes on with the files on disk while the database is open, as after SIGKILL. Nothing but duties
   * works on the database; their files may come and go during the copy.
   */
  void crash() {
    String name = run.name("crash");
    run.say(name);
    for (int attempt = 1; ; attempt++) {
      Path copy = run.directory.resolve(name + "-" + attempt);
      try {
        copy(run.data(), copy);
        run.moveTo(copy);
        return;
      } catch (NoSuchFileException e) {
        run.say("  again, since a file went: " + e.getMessage());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    List<Path> all;
    try (Stream<Path> files = Files.walk(from)) {
      all = files.toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    for (Path each : all) {
      String name = each.getFileName().toString();
      if (!OWNERS.contains(name)) {
        Files.copy(each, to.resolve(from.relativize(each).toString()));
      }
    }
  }

  private Path restored() {
    String name = run.name("backup");
    run.say(name);
    Path to = run.directory.resolve(name);
    Path copy = run.directory.resolve(name + "-restored");
    Backup backup = new Backup((step, bytes) -> {});
    backup.create(run.db, to);
    backup.restore(to, copy);
    return copy;
  }
}
