package io.braid.lab.model;

import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.Transaction;
import io.braid.lab.model.Model.Answer;
import io.braid.lab.model.Model.Cell;
import io.braid.lab.model.Model.Version;
import java.util.Optional;
import java.util.Set;

/** Transactions that stay open while other things are done. */
final class TransactionSteps {
  private static final int MOST_OPEN = 3;

  private final Run run;
  private final Checks checks;

  TransactionSteps(Run run, Checks checks) {
    this.run = run;
    this.checks = checks;
  }

  void step(boolean locks) {
    if (run.open.isEmpty() || (run.open.size() < MOST_OPEN && run.chance(20))) {
      begin(run.db.begin(), false);
    }
    OpenTransaction one = run.any(run.open);
    if (locks) {
      lock(one);
      return;
    }
    switch (run.random.nextInt(7)) {
      case 0 -> readAll(one);
      case 1 -> commit(one);
      case 2 -> end(one);
      default -> write(one);
    }
  }

  /**
   * @param remote whether it is one of a client
   */
  void begin(Transaction tx, boolean remote) {
    OpenTransaction begun = new OpenTransaction(tx, remote, run.model);
    run.open.add(begun);
    run.say("begin " + begun.start);
  }

  private void end(OpenTransaction one) {
    if (run.chance(20)) {
      run.say("roll back " + one.start);
      one.tx.rollback();
      run.open.remove(one);
    }
  }

  private void readAll(OpenTransaction one) {
    String table = run.anyTable();
    boolean there = one.knows(run.model, table);
    boolean ended = there && one.tried.contains(table) && run.model.there(table).fence > one.start;
    String what = "transaction " + one.start + " reads " + table;
    boolean done =
        run.does(
            what,
            ended ? Answer.MAYBE : Answer.of(!there),
            () -> checks.table(one.tx, table, what, cell -> one.visible(run.model, cell)),
            "UnknownTable",
            "TableReplaced",
            "Conflict");
    if (done && !ended && !one.remote) {
      run.model
          .there(table)
          .indexes
          .values()
          .forEach(
              each -> {
                if (each.since() <= one.start) {
                  checks.lookups(
                      one.tx, each, what, row -> one.visible(run.model, Run.cell(row, Run.A)));
                }
              });
    }
  }

  /** Whether tables of another protocol have been written. */
  private Answer otherProtocol(OpenTransaction one, String table) {
    boolean other =
        run.model
            .table(table)
            .map(each -> one.protocol != null && one.protocol != each.protocol)
            .orElse(false);
    return other ? Answer.YES : one.uncertain ? Answer.MAYBE : Answer.NO;
  }

  private void write(OpenTransaction one) {
    String table = run.anyTable();
    Row row = run.anyRow(table);
    Column<String> column = run.any(Run.COLUMNS);
    Cell cell = Run.cell(row, column);
    Optional<String> value = run.anyValue(column);
    boolean known = one.knows(run.model, table);
    one.tried.add(table);
    boolean stale = known && run.model.there(table).fence > one.start;
    Answer duplicate =
        known && column == Run.A && value.isPresent() && run.model.isUnique(table)
            ? duplicate(one, row, value)
            : Answer.NO;
    Answer refused = otherProtocol(one, table).or(!known || stale ? Answer.MAYBE : duplicate);
    boolean done =
        run.does(
            "transaction " + one.start + " sets " + cell + " to " + Run.brief(value),
            refused,
            () -> {
              if (value.isPresent()) {
                one.tx.set(row, column, value.get());
              } else {
                one.tx.delete(row, column);
              }
              one.flush(row, column);
            },
            "UnknownTable",
            "TableReplaced",
            "IllegalArgument",
            "DuplicateValue",
            "Conflict");
    if (done) {
      one.writes.put(cell, value);
      noteProtocol(one, table);
    } else {
      one.refused(run);
    }
  }

  private void noteProtocol(OpenTransaction one, String table) {
    if (run.model.life(table) == 0) {
      one.uncertain = true; // the protocol of the dropped table is unknown
    } else if (one.protocol == null) {
      one.protocol = run.model.there(table).protocol;
    }
  }

  /** Whether another row has the value, in the eyes of a transaction. */
  private Answer duplicate(OpenTransaction one, Row row, Optional<String> value) {
    Answer duplicate = Answer.NO;
    for (Row other : Run.rows(row.table())) {
      Set<Optional<String>> holds = one.visible(run.model, Run.cell(other, Run.A));
      if (!other.equals(row) && holds.contains(value)) {
        duplicate = duplicate.or(holds.size() == 1 ? Answer.YES : Answer.MAYBE);
      }
    }
    return duplicate;
  }

  private void lock(OpenTransaction one) {
    String table = run.anyTable();
    Cell cell = Run.cell(run.anyRow(table), run.any(Run.COLUMNS));
    boolean known = one.knows(run.model, table);
    one.tried.add(table);
    Answer refused = otherProtocol(one, table).or(known ? Answer.NO : Answer.MAYBE);
    if (known && run.model.there(table).fence > one.start) {
      refused = refused.or(Answer.MAYBE);
    }
    boolean done =
        run.does(
            "transaction " + one.start + " locks " + cell,
            refused,
            () -> {
              one.tx.lock(cell.row(), Run.column(cell));
              one.flush(cell.row(), Run.column(cell));
            },
            "UnknownTable",
            "TableReplaced",
            "IllegalArgument",
            "Conflict");
    if (done) {
      one.locks.add(cell);
      noteProtocol(one, table);
    } else {
      one.refused(run);
    }
  }

  private void commit(OpenTransaction one) {
    Answer refused = Answer.NO;
    for (Cell cell : one.touched()) {
      refused = refused.or(stands(one, cell));
    }
    run.open.remove(one);
    long[] commit = new long[1];
    boolean done =
        run.does(
            "commit " + one.start,
            refused,
            () -> commit[0] = one.tx.commit(),
            "Conflict",
            "KeyHeldByGroup",
            "TableReplaced",
            "UnknownTable",
            "DuplicateValue");
    one.tx.close();
    if (done) {
      run.say("  at " + commit[0]);
      one.writes.forEach(
          (cell, value) -> run.model.write(cell, new Version(commit[0], commit[0], value)));
      one.locks.forEach(cell -> run.model.there(cell.row().table()).locked.put(cell, commit[0]));
    }
  }

  /** Returns whether anything prevents committing a write or lock of a cell. */
  private Answer stands(OpenTransaction one, Cell cell) {
    String table = cell.row().table();
    if (!one.knows(run.model, table)
        || run.model.there(table).fence > one.start
        || run.model.groupOf(cell.row()).isPresent()) {
      return Answer.YES;
    }
    Answer stands = run.model.changedSince(cell, one.start);
    if (run.model.joined.getOrDefault(cell.row(), 0L) > one.start
        || run.model.there(table).epoch > one.start) {
      stands = stands.or(Answer.MAYBE);
    }
    return cell.column().equals(Run.A.name()) && run.model.isUnique(table)
        ? stands.or(othersOfTheValue(one, cell))
        : stands;
  }

  /**
   * Returns whether other rows took or gave up a value since the transaction began. The rows of a
   * unique index are found by value.
   */
  private Answer othersOfTheValue(OpenTransaction one, Cell cell) {
    Answer stands = Answer.NO;
    for (Row other : Run.rows(cell.row().table())) {
      Cell its = Run.cell(other, Run.A);
      Optional<String> value = one.writes.getOrDefault(cell, Optional.empty());
      if (!other.equals(cell.row()) && run.model.changedSince(its, one.start) != Answer.NO) {
        boolean taken =
            value.isPresent()
                && !one.writes.containsKey(its)
                && run.model.newest(its).equals(value);
        stands = stands.or(taken ? Answer.YES : Answer.MAYBE);
      }
    }
    return stands;
  }
}
