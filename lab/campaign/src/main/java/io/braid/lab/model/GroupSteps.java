package io.braid.lab.model;

import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.groups.Group;
import io.braid.groups.GroupRequest;
import io.braid.lab.model.Model.Answer;
import io.braid.lab.model.Model.Cell;
import io.braid.lab.model.Model.Members;
import io.braid.lab.model.Model.Version;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Key groups: made, used from inside, shipped, opened again, deleted. */
final class GroupSteps {
  private final Run run;

  GroupSteps(Run run) {
    this.run = run;
  }

  void step() {
    if (run.model.groups.isEmpty() || run.chance(15)) {
      create();
      return;
    }
    String name = run.any(new ArrayList<>(run.model.groups.keySet()));
    Group group = run.groups.computeIfAbsent(name, each -> run.db.groups().open(each));
    switch (run.random.nextInt(8)) {
      case 0 -> ship(group);
      case 1 -> delete(group);
      case 2, 3 -> read(group);
      default -> write(name, values -> write(group, values));
    }
  }

  private void create() {
    Set<Row> rows = new LinkedHashSet<>();
    int wanted = 1 + run.random.nextInt(3);
    for (int i = 0; i < wanted; i++) {
      rows.add(run.anyRow(run.anyTable()));
    }
    String name = run.name("g");
    boolean held = rows.stream().anyMatch(row -> run.model.groupOf(row).isPresent());
    boolean lost = rows.stream().anyMatch(row -> run.model.life(row.table()) == 0);
    boolean mixed =
        rows.stream()
                .flatMap(row -> run.model.table(row.table()).stream())
                .map(table -> table.protocol)
                .distinct()
                .count()
            > 1;
    List<Group> made = new ArrayList<>();
    boolean done =
        run.does(
            "group " + name + " of " + rows,
            Answer.of(held || lost || mixed),
            () -> made.add(run.db.group(GroupRequest.of(rows).named(name))),
            "GroupCreation",
            "UnknownTable",
            "IllegalArgument");
    if (done) {
      run.groups.put(name, made.get(0));
      run.model.groups.put(name, new Members(rows));
      long now = run.now();
      rows.forEach(row -> run.model.joined.put(row, now));
    }
  }

  private void read(Group group) {
    Row row = run.any(new ArrayList<>(group.members()));
    Column<String> column = run.any(Run.COLUMNS);
    Optional<String> newest = run.model.newest(Run.cell(row, column));
    String what = "group " + group.name() + " reads " + Run.cell(row, column);
    run.say(what);
    run.requireOneOf(what, Set.of(newest), group.read(row, column));
    run.requireOneOf(
        what + " in a transaction", Set.of(newest), group.run(tx -> tx.get(row, column)));
    run.requireOneOf(what + " by its newest", Set.of(newest), run.db.groups().latest(row, column));
  }

  /**
   * Writes members.
   *
   * @param how it is written
   */
  void write(String name, Consumer<Map<Cell, Optional<String>>> how) {
    Members members = run.model.members(name);
    Map<Cell, Optional<String>> values = new LinkedHashMap<>();
    int count = 1 + run.random.nextInt(3);
    boolean unique = false;
    for (int i = 0; i < count; i++) {
      Row row = run.any(new ArrayList<>(members.rows));
      Column<String> column = run.any(Run.COLUMNS);
      values.put(Run.cell(row, column), run.anyValue(column));
    }
    for (Cell cell : values.keySet()) {
      unique |= cell.column().equals(Run.A.name()) && run.model.isUnique(cell.row().table());
    }
    long from = run.db.oracle().lastIssued() + 1;
    boolean done =
        run.does(
            "group " + name + " writes " + Run.brief(values),
            unique ? Answer.MAYBE : Answer.NO,
            () -> how.accept(values),
            "Group",
            "IllegalArgument");
    if (done) {
      values.forEach(
          (cell, value) ->
              members
                  .pending
                  .computeIfAbsent(cell, key -> new ArrayList<>())
                  .add(new Version(from, Long.MAX_VALUE, value)));
    }
  }

  private static void write(Group group, Map<Cell, Optional<String>> values) {
    group.run(
        tx -> {
          values.forEach(
              (cell, value) -> {
                Column<String> column = Run.column(cell);
                if (value.isPresent()) {
                  tx.set(cell.row(), column, value.get());
                } else {
                  tx.delete(cell.row(), column);
                }
              });
          return 0;
        });
  }

  private void ship(Group group) {
    run.say("ship " + group.name());
    group.ship();
    run.model.shipped(run.model.members(group.name()), run.now());
  }

  private void delete(Group group) {
    run.say("delete " + group.name());
    group.close();
    run.groups.remove(group.name());
    Members members = run.model.members(group.name());
    run.model.groups.remove(group.name());
    long now = run.now();
    run.model.shipped(members, now);
    members.rows.forEach(row -> run.model.joined.put(row, now));
  }
}
