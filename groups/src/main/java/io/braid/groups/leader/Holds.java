package io.braid.groups.leader;

import io.braid.core.cells.Families;
import io.braid.core.cells.Hold;
import io.braid.core.cells.Intent;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.protocol.Backoff;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.Selection;
import io.braid.core.store.StoreException;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.store.UnknownTableException;
import io.braid.core.transaction.BlockedByTransactionException;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transactions;
import io.braid.groups.GroupOptions;
import io.braid.groups.GroupRequest;
import io.braid.groups.protocol.JoinRefusal;
import io.braid.groups.protocol.Mode;
import io.braid.groups.rows.GroupRecord;
import io.braid.groups.rows.HoldResult;
import io.braid.groups.rows.RaiseHold;
import io.braid.groups.rows.ReleaseHold;
import io.braid.groups.rows.TakeHold;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes and releases holds at the rows, in batches that the store sends to its tablets. */
public final class Holds implements Followers {
  private static final Logger LOG = LoggerFactory.getLogger(Holds.class);
  private static final int BATCH = 1000;
  private static final int ATTEMPTS = 12;

  private final CellStore store;
  private final Transactions transactions;
  private final Records records;
  private final Seams seams;
  private final Durability durability;
  private final Duration joinWait;

  public Holds(CellStore store, Transactions transactions, Seams seams, GroupOptions options) {
    this(store, transactions, new Records(store, seams, options.durability()), seams, options);
  }

  Holds(
      CellStore store,
      Transactions transactions,
      Records records,
      Seams seams,
      GroupOptions options) {
    this.store = store;
    this.transactions = transactions;
    this.records = records;
    this.seams = seams;
    // The record decides whether a group is live, and is written after the holds.
    this.durability = options.durability().ofPreceding();
    this.joinWait = options.joinWait();
  }

  @Override
  public List<JoinRefusal> join(GroupRecord forming, GroupRequest request) {
    return take(request.keys(), forming.hold(), request.joined(), request.mode() == Mode.ATOMIC);
  }

  @Override
  public boolean release(GroupRecord record, Collection<Row> keys) {
    return release(keys, record.number(), record.epoch());
  }

  /**
   * Asks rows to join. Rows held by other groups refuse at once. Rows that transactions are writing
   * are asked again when these transactions are decided.
   *
   * @param joined receives rows as they join
   * @param stopAtRefusal whether one refusal is enough
   * @return the rows that did not join
   */
  public List<JoinRefusal> take(
      Collection<Row> rows, Hold hold, Consumer<List<Row>> joined, boolean stopAtRefusal) {
    List<JoinRefusal> refused = new ArrayList<>();
    List<Row> all = List.copyOf(rows);
    for (int from = 0; from < all.size(); from += BATCH) {
      List<Row> batch = all.subList(from, Math.min(all.size(), from + BATCH));
      takeBatch(batch, hold, joined, refused);
      if (stopAtRefusal && !refused.isEmpty()) {
        return refused;
      }
    }
    return refused;
  }

  private void takeBatch(
      List<Row> batch, Hold hold, Consumer<List<Row>> joined, List<JoinRefusal> refused) {
    Backoff backoff = new Backoff(seams, Duration.ofMillis(1), Duration.ofMillis(200));
    List<Row> open = batch;
    int failures = 0;
    while (!open.isEmpty()) {
      List<TakeHold.Request> requests =
          open.stream().map(row -> new TakeHold.Request(row, hold)).toList();
      List<Outcome<HoldResult>> outcomes = store.execute(TakeHold.INSTANCE, requests, durability);
      List<Row> now = new ArrayList<>();
      List<Row> again = new ArrayList<>();
      boolean failed = false;
      boolean late = backoff.elapsed().compareTo(joinWait) > 0;
      for (int i = 0; i < open.size(); i++) {
        Row row = open.get(i);
        if (!(outcomes.get(i) instanceof Outcome.Done<HoldResult> done)) {
          failed = true;
          if (failures + 1 < ATTEMPTS) {
            again.add(row);
          } else {
            refused.add(new JoinRefusal(row, "cannot be reached: " + outcomes.get(i)));
          }
        } else if (done.result() instanceof HoldResult.HeldBy held) {
          if (!late && banish(row, held.other())) {
            again.add(row);
          } else {
            refused.add(new JoinRefusal(row, "is held by group '" + held.other().group() + "'"));
          }
        } else if (done.result() instanceof HoldResult.Busy busy) {
          if (late) {
            refused.add(new JoinRefusal(row, "is being written by a transaction"));
          } else {
            again.add(row);
            settle(row, busy.columns());
          }
        } else {
          now.add(row);
        }
      }
      failures += failed ? 1 : 0;
      if (!now.isEmpty()) {
        joined.accept(now);
      }
      open = again;
      if (!open.isEmpty() && !backoff.pause()) {
        open.forEach(row -> refused.add(new JoinRefusal(row, "was not asked: interrupted")));
        return;
      }
    }
  }

  /** The hold on a row. */
  public Optional<Hold> of(Row row) {
    RowCells cells = store.read(RowRead.of(row, Selection.column(Families.hold())));
    return cells.cells().stream().findFirst().map(cell -> Hold.of(Intent.decode(cell.value())));
  }

  /** Returns the rows whose table exists. Rows of a missing table have lost their holds with it. */
  private List<Row> thoseThere(Collection<Row> rows, UnknownTableException e) {
    Map<String, Boolean> there = new HashMap<>();
    List<Row> left =
        rows.stream()
            .filter(
                row -> there.computeIfAbsent(row.table(), name -> store.table(name).isPresent()))
            .toList();
    if (left.size() == rows.size()) {
      throw e;
    }
    return left;
  }

  /** Which of these rows a group holds. */
  public List<Row> heldBy(Collection<Row> rows, long number) {
    try {
      return held(rows, number);
    } catch (UnknownTableException e) {
      return held(thoseThere(rows, e), number);
    }
  }

  private List<Row> held(Collection<Row> rows, long number) {
    List<RowRead> reads =
        rows.stream().map(row -> RowRead.of(row, Selection.column(Families.hold()))).toList();
    return store.read(reads).stream()
        .filter(row -> row.cells().stream().anyMatch(cell -> cell.version() == number))
        .map(RowCells::row)
        .toList();
  }

  /** Removes the hold of a group that is gone; returns false if the group is there. */
  public boolean banish(Row row, Hold ghost) {
    if (records.isThere(ghost)) {
      return false;
    }
    LOG.debug("Row {} is held by a ghost, group {}.", row, ghost.group());
    store.execute(
        ReleaseHold.INSTANCE,
        new ReleaseHold.Request(row, ghost.number(), ghost.epoch()),
        Durability.BUFFERED);
    return true;
  }

  /** Reading a column decides the transactions that write it, or waits for them. */
  private void settle(Row row, List<ColumnName> columns) {
    try (Snapshot snapshot = transactions.snapshot()) {
      List<Column<?>> wanted = new ArrayList<>();
      columns.forEach(column -> wanted.add(new Column<>(column, Codecs.bytes())));
      snapshot.get(row, wanted);
    } catch (BlockedByTransactionException | StoreException e) {
      LOG.debug("A transaction that writes {} is not decided yet.", row, e);
    }
  }

  /**
   * Gives rows back. A machine that fails may lose a release. The hold that stays belongs to a
   * group that is gone, or to one that is being deleted and releases the row again.
   *
   * @return whether every row is free of the group
   */
  public boolean release(Collection<Row> rows, long number, long epoch) {
    return ask(
        rows,
        ReleaseHold.INSTANCE,
        Durability.BUFFERED,
        row -> new ReleaseHold.Request(row, number, epoch),
        (row, wasHeld) -> {});
  }

  /**
   * Takes over the remaining holds of a group for its new leader.
   *
   * @return the rows that it holds
   * @throws TabletUnavailableException when the state of some rows is unknown: call again
   */
  Set<Row> raise(Collection<Row> rows, Hold hold) {
    Set<Row> held = new LinkedHashSet<>();
    boolean all =
        ask(
            rows,
            RaiseHold.INSTANCE,
            durability,
            row -> new TakeHold.Request(row, hold),
            (row, isHeld) -> {
              if (isHeld) {
                held.add(row);
              }
            });
    if (!all) {
      throw new TabletUnavailableException(
          "Rows of group '" + hold.group() + "' cannot be reached: try again.");
    }
    return held;
  }

  /**
   * Sends requests, and repeats those that are not answered. Returns whether all were answered in
   * the end.
   */
  private <A> boolean ask(
      Collection<Row> rows,
      Procedure<A, Boolean> procedure,
      Durability asked,
      Function<Row, A> request,
      BiConsumer<Row, Boolean> answered) {
    Backoff backoff = new Backoff(seams, Duration.ofMillis(2), Duration.ofMillis(500));
    List<Row> all = List.copyOf(rows);
    for (int from = 0; from < all.size(); from += BATCH) {
      List<Row> open = all.subList(from, Math.min(all.size(), from + BATCH));
      for (int attempt = 1; !open.isEmpty(); attempt++) {
        List<Outcome<Boolean>> outcomes;
        try {
          outcomes = store.execute(procedure, open.stream().map(request).toList(), asked);
        } catch (UnknownTableException e) {
          open = thoseThere(open, e);
          continue;
        }
        List<Row> again = new ArrayList<>();
        for (int i = 0; i < open.size(); i++) {
          if (outcomes.get(i) instanceof Outcome.Done<Boolean> done) {
            answered.accept(open.get(i), done.result());
          } else {
            again.add(open.get(i));
          }
        }
        open = again;
        if (!open.isEmpty() && (attempt >= ATTEMPTS || !backoff.pause())) {
          return false;
        }
      }
    }
    return true;
  }
}
