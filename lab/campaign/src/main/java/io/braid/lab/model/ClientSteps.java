package io.braid.lab.model;

import io.braid.client.BraidClient;
import io.braid.client.ClientGroup;
import io.braid.client.ClientScript;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.Snapshot;
import io.braid.lab.model.Model.Answer;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The work of a client on the same database over gRPC, while the process that serves it works on.
 */
final class ClientSteps {
  private final Run run;
  private final Checks checks;
  private final TransactionSteps transactions;
  private final FastSteps fast;
  private final GroupSteps groups;

  ClientSteps(
      Run run, Checks checks, TransactionSteps transactions, FastSteps fast, GroupSteps groups) {
    this.run = run;
    this.checks = checks;
    this.transactions = transactions;
    this.fast = fast;
    this.groups = groups;
  }

  void step() {
    Optional<BraidClient> client = run.client();
    if (client.isEmpty()) {
      run.say("serve");
      run.reopenAsServer();
    } else {
      step(client.get());
    }
  }

  private void step(BraidClient client) {
    switch (run.random.nextInt(7)) {
      case 0 -> look(client);
      case 1 -> lookBack(client);
      case 2 -> group(client);
      case 3 -> transactions.begin(client.begin(), true);
      case 4 -> transactions.step(false);
      case 5 -> fast.named(client.fast());
      default -> fast.step(client.fast());
    }
  }

  private void look(BraidClient client) {
    run.say("client looks");
    try (Snapshot now = client.snapshot()) {
      checks.tables(now, "client");
    }
  }

  private void lookBack(BraidClient client) {
    if (run.moments.isEmpty()) {
      return;
    }
    long moment = run.any(run.moments);
    run.does(
        "client looks back to " + moment,
        run.keeps(moment) ? Answer.NO : Answer.MAYBE,
        () -> {
          try (Snapshot then = client.snapshotAt(moment)) {
            checks.tables(then, "client at " + moment);
          }
        },
        "SnapshotTooOld");
  }

  private void group(BraidClient client) {
    if (run.model.groups.isEmpty()) {
      return;
    }
    String name = run.any(List.copyOf(run.model.groups.keySet()));
    ClientGroup group = client.openGroup(name);
    if (run.chance(50)) {
      Row row = run.any(List.copyOf(run.model.members(name).rows));
      Column<String> column = run.any(Run.COLUMNS);
      String what = "client reads in group " + name + " " + Run.cell(row, column);
      run.say(what);
      Optional<String> newest = run.model.newest(Run.cell(row, column));
      run.requireOneOf(what, Set.of(newest), group.read(row, column));
    } else {
      groups.write(
          name,
          values -> {
            ClientScript script = group.script();
            values.forEach(
                (cell, value) -> {
                  if (value.isPresent()) {
                    script.set(cell.row(), Run.column(cell), value.get());
                  } else {
                    script.delete(cell.row(), Run.column(cell));
                  }
                });
            script.run();
          });
    }
  }
}
