package io.braid.tables;

import io.braid.core.cells.DecisionPoint.CommitEntry;
import io.braid.core.cells.HoldPass;
import io.braid.core.protocol.TableCatalog;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.time.Lineage;
import io.braid.core.transaction.ChangeSink;
import io.braid.core.transaction.CommitResult;
import io.braid.core.transaction.FastOptions;
import io.braid.core.transaction.FastSession;
import io.braid.core.transaction.Protocol;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Staleness;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionBody;
import io.braid.core.transaction.TransactionException;
import io.braid.core.transaction.TransactionId;
import io.braid.core.transaction.TransactionOutcome;
import io.braid.core.transaction.Transactions;
import io.braid.indexes.IndexRegistry;
import io.braid.omid.OmidTransactions;
import io.braid.percolator.PercolatorTransactions;
import io.braid.text.MomentText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Transactions over tables of both protocols. Each begins as one of Percolator's, which registers
 * its snapshot; Omid's part joins at the same timestamp when a table of it is used.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class BoundTransactions implements Transactions {
  private final CellStore store;
  private final TableBindings bindings;
  private final IndexRegistry indexes;
  private final PercolatorTransactions percolator;
  private final Supplier<OmidTransactions> opener;
  private final Seams seams;
  private final Object opening = new Object();
  private volatile @Nullable OmidTransactions omid;
  private volatile ChangeSink sink = ChangeSink.NONE;

  /**
   * @param opener starts Omid, once a table is bound to it
   */
  public BoundTransactions(
      CellStore store,
      TableBindings bindings,
      IndexRegistry indexes,
      PercolatorTransactions percolator,
      Supplier<OmidTransactions> opener,
      Seams seams) {
    this.store = store;
    this.bindings = bindings;
    this.indexes = indexes;
    this.percolator = percolator;
    this.opener = opener;
    this.seams = seams;
    percolator.beforeLearning(this::lookAgain);
    if (bindings.knowsOmid()) {
      omid();
    }
  }

  /**
   * Reads again what other processes stored about tables: it must be as new as the known epochs.
   */
  public void lookAgain() {
    bindings.lookAgain();
    indexes.lookAgain();
  }

  /** Omid's transactions; started by the first call. */
  OmidTransactions omid() {
    OmidTransactions open = omid;
    if (open == null) {
      synchronized (opening) {
        open = omid;
        if (open == null) {
          open = opener.get();
          open.observedBy(sink);
          open.beforeLearning(this::lookAgain);
          open.indexedBy(
              table -> !indexes.of(table).isEmpty() || indexes.isIndex(table),
              indexes::isUnchecked);
          omid = open;
        }
      }
    }
    return open;
  }

  /** Omid's transactions, if they were started. */
  public Optional<OmidTransactions> openOmid() {
    return Optional.ofNullable(omid);
  }

  @Override
  public Transaction begin() {
    return begin(HoldPass.NONE);
  }

  @Override
  public BoundTransaction begin(HoldPass pass) {
    // Taken before the timestamp, though Omid's part joins later: so a fence between the two is
    // seen at the commit.
    OmidTransactions open = omid;
    Map<String, TableCatalog.Table> known = open == null ? percolator.tables() : open.tables();
    return bound(percolator.begin(pass), pass, known);
  }

  private BoundTransaction bound(
      Transaction part, HoldPass pass, Map<String, TableCatalog.Table> known) {
    return new BoundTransaction(
        bindings, indexes, part, at -> omid().beginAt(pass, at, known), this::learn);
  }

  @Override
  public List<Transaction> beginAll(int count) {
    OmidTransactions open = omid;
    Map<String, TableCatalog.Table> known = open == null ? percolator.tables() : open.tables();
    List<Transaction> all = new ArrayList<>(count);
    percolator.beginAll(count).forEach(part -> all.add(bound(part, HoldPass.NONE, known)));
    return all;
  }

  /** Reads of tables of Percolator go together. */
  @Override
  public List<ReadAhead> readAhead(List<ReadAhead> reads) {
    Map<ReadAhead, ReadAhead> together = new LinkedHashMap<>();
    for (ReadAhead each : reads) {
      if (bindings.of(each.row().table()) == Protocol.PERCOLATOR) {
        Transaction part = ((BoundTransaction) each.tx()).part(Protocol.PERCOLATOR);
        together.put(each.by(part), each);
      }
    }
    return percolator.readAhead(List.copyOf(together.keySet())).stream()
        .map(each -> Objects.requireNonNull(together.get(each)))
        .toList();
  }

  @Override
  public Snapshot snapshot() {
    return bound(percolator.snapshot());
  }

  @Override
  public Snapshot snapshot(Staleness staleness) {
    return bound(percolator.snapshot(staleness));
  }

  @Override
  public Snapshot snapshotAt(long timestamp) {
    return own(fenced(timestamp));
  }

  @Override
  public Snapshot snapshotAt(Instant time) {
    return own(bound(percolator.snapshotAt(time)));
  }

  /**
   * Returns a snapshot at a fence that indexes keep. The fence may come from the database that this
   * one was restored from.
   */
  Snapshot fenced(long timestamp) {
    return bound(percolator.snapshotAt(timestamp));
  }

  /**
   * Returns a past snapshot, or refuses one from before the database was restored: it would show
   * the history of another database, or a part of that history.
   */
  private Snapshot own(Snapshot past) {
    try {
      long since = Lineage.since(store);
      if (past.timestamp() < since) {
        throw TransactionException.snapshotTooOld(past.timestamp(), since);
      }
      return past;
    } catch (RuntimeException e) {
      past.close();
      throw e;
    }
  }

  private Snapshot bound(Snapshot snapshot) {
    return new BoundSnapshot<>(bindings, snapshot, at -> omid().snapshotAt(at));
  }

  @Override
  public FastSession fast(FastOptions options) {
    return omid().fast(options, this);
  }

  @Override
  public <R extends @Nullable Object, E extends Exception> R run(TransactionBody<R, E> body)
      throws E {
    return Attempt.run(seams, () -> begin(HoldPass.NONE), body);
  }

  /** Commits together the transactions that write tables of Percolator. */
  @Override
  public List<CommitResult> commitAll(List<? extends Transaction> all) {
    List<Transaction> parts = new ArrayList<>(all.size());
    for (Transaction tx : all) {
      Optional<Transaction> part = ((BoundTransaction) tx).committing(Protocol.PERCOLATOR);
      part.ifPresent(parts::add);
    }
    Iterator<CommitResult> committed = percolator.commitAll(parts).iterator();
    List<CommitResult> results = new ArrayList<>(all.size());
    for (Transaction each : all) {
      BoundTransaction tx = (BoundTransaction) each;
      results.add(
          tx.committing(Protocol.PERCOLATOR).isPresent()
              ? tx.committed(committed.next())
              : CommitResult.of(tx::commit));
    }
    return results;
  }

  @Override
  public TransactionOutcome outcome(TransactionId id) {
    TransactionOutcome outcome =
        id.decision() instanceof CommitEntry ? omid().outcome(id) : percolator.outcome(id);
    // A restore may have brought its writes under another timestamp.
    return !(outcome instanceof TransactionOutcome.Committed) && id.start() < Lineage.since(store)
        ? new TransactionOutcome.Unknown()
        : outcome;
  }

  @Override
  public Pin pin(String name, long timestamp) {
    return percolator.pin(MomentText.pinName(name), timestamp);
  }

  @Override
  public boolean unpin(String name) {
    return percolator.unpin(name);
  }

  @Override
  public List<Pin> pins() {
    return percolator.pins();
  }

  @Override
  public void observedBy(ChangeSink sink) {
    this.sink = sink;
    percolator.observedBy(sink);
    OmidTransactions open = omid;
    if (open != null) {
      open.observedBy(sink);
    }
  }

  /**
   * Decides everything that is undecided in a table; for Percolator's transactions, only up to a
   * timestamp. A live writer aborts.
   */
  void settle(String table, long upTo) {
    percolator.end(table, upTo);
    settleOmid(table);
  }

  /** Decides Omid's undecided transactions in a table; a live writer may abort. */
  void settleOmid(String table) {
    OmidTransactions open = bindings.of(table) == Protocol.OMID ? omid() : omid;
    if (open != null) {
      open.settle(table);
    }
  }

  /** Drops a table once all that its primaries have decided about other tables is carried out. */
  void dropTable(CellStore store, String table) {
    percolator.settleBeforeDrop(table);
    store.dropTable(table);
  }

  /** A table has a new epoch: transactions that begin from now on know it. */
  public void learn(String table) {
    percolator.learn(table);
    OmidTransactions open = omid;
    if (open != null) {
      open.learn(table);
    }
  }

  public PercolatorTransactions percolator() {
    return percolator;
  }

  @Override
  public void close() {
    bindings.close();
    OmidTransactions open = omid;
    if (open != null) {
      open.close();
    }
    percolator.close();
  }
}
