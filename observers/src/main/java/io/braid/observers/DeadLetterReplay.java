package io.braid.observers;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.Selection;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.Transactions;
import io.braid.observers.rows.DeadLetter;
import io.braid.observers.rows.Epochs;
import io.braid.observers.rows.GuardedAnswer;
import io.braid.observers.rows.ReplayChange;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;

/** The dead letters of all tables: finding and replaying them. */
final class DeadLetterReplay {
  private final CellStore store;
  private final Transactions transactions;
  private final Registry registry;
  private final Epochs epochs;
  private final Consumer<Row> found;

  /**
   * @param found receives the rows that were replayed
   */
  DeadLetterReplay(
      CellStore store,
      Transactions transactions,
      Registry registry,
      Epochs epochs,
      Consumer<Row> found) {
    this.store = store;
    this.transactions = transactions;
    this.registry = registry;
    this.epochs = epochs;
    this.found = found;
  }

  void forEach(Optional<String> observer, Consumer<DeadLetter> action) {
    for (String table : tables(observer)) {
      RowPages pages =
          new RowPages(
              store, table, KeyRange.ALL, List.of(Selection.family(Families.DEAD_LETTERS)));
      pages.forEach(
          row -> {
            for (Cell cell : row.cells()) {
              DeadLetter change = DeadLetter.decode(row.row(), cell);
              if (observer.isEmpty() || observer.get().equals(change.observer())) {
                action.accept(change);
              }
            }
          });
    }
  }

  private List<String> tables(Optional<String> observer) {
    if (observer.isEmpty()) {
      return List.copyOf(new TreeSet<>(registry.view().tables()));
    }
    return List.of(registry.require(observer.get()).registration().table());
  }

  long replayAll(Optional<String> observer, Consumer<DeadLetter> progress) {
    long[] replayed = {0};
    forEach(
        observer,
        change -> {
          if (replay(change.observer(), change.row().key())) {
            replayed[0]++;
            progress.accept(change);
          }
        });
    return replayed[0];
  }

  boolean replay(String observer, Bytes key) {
    Registration registration = registry.require(observer).registration();
    Row row = new Row(registration.table(), key);
    long version;
    try (Transaction tx = transactions.begin()) {
      version = tx.timestamp();
    }
    Outcome<GuardedAnswer> outcome =
        epochs.execute(
            ReplayChange.INSTANCE,
            row.table(),
            epoch ->
                new ReplayChange.Request(
                    epoch, row, observer, registration.column(), registration.weak(), version),
            Durability.SYNCED);
    if (!(outcome instanceof Outcome.Done<GuardedAnswer> done)) {
      throw new TabletUnavailableException(
          "Whether the dead letter of observer "
              + observer
              + " is still on "
              + row
              + " is unknown: replay it"
              + " again. "
              + outcome);
    }
    return switch (done.result().kind()) {
      case DONE -> {
        found.accept(row);
        yield true;
      }
      case NOTHING_TO_DO -> false;
      case STALE_EPOCH, HELD ->
          throw new TabletUnavailableException(
              "Row "
                  + row
                  + " cannot be written now, so the dead letter of observer "
                  + observer
                  + " stays there; replay it later.");
    };
  }
}
