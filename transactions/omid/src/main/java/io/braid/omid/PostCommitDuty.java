package io.braid.omid;

import io.braid.core.cells.WriteGuard.Refusal;
import io.braid.core.data.Row;
import io.braid.core.protocol.Duty;
import io.braid.core.protocol.TableCatalog;
import io.braid.core.protocol.Trips;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.store.StoreException;
import io.braid.omid.rows.ForgetEntry;
import io.braid.omid.rows.OmidAnswer;
import io.braid.omid.rows.PostCommit;
import io.braid.omid.rows.RemoveTentative;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of transactions, off the critical path (section 3.2). Makes the tentative cells of
 * committed transactions records, for several transactions in one trip. Only then removes their
 * entries from the commit table. The queue is bounded; when it is full, the commit does the work
 * itself. Readers and the sweep finish the work that is lost here.
 */
final class PostCommitDuty implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PostCommitDuty.class);
  private static final Duration IDLE = Duration.ofSeconds(30);
  private static final int BATCH = 512;
  private static final int EPOCH_ATTEMPTS = 3;

  private final Trips trips;
  private final TableCatalog tables;
  private final CommitTable commits;
  private final Durability durability;
  private final int capacity;
  private final ArrayDeque<DecidedRows> queue = new ArrayDeque<>();
  private final Duty duty;
  // Guarded by the queue.
  private int queuedRows;
  private boolean closing;

  PostCommitDuty(ProtocolContext around, CommitTable commits) {
    this.trips = around.trips();
    this.tables = around.tables();
    this.commits = commits;
    this.durability = around.beforeCommit();
    this.capacity = around.options().duties().postCommitQueue();
    this.duty = Duty.start(around.seams(), "braid-post-commit", IDLE, this::workSome);
  }

  /** Queues rows, or deals with them at once if the queue is full. */
  void add(DecidedRows rows) {
    if (enqueue(rows)) {
      duty.wake();
    } else {
      work(List.of(rows));
    }
  }

  private boolean enqueue(DecidedRows rows) {
    synchronized (queue) {
      if (closing || queuedRows + rows.rows().size() > capacity) {
        return false;
      }
      queuedRows += rows.rows().size();
      return queue.add(rows);
    }
  }

  /** Deals with a batch; returns whether there was one. */
  boolean workSome() {
    List<DecidedRows> batch = take();
    work(batch);
    return !batch.isEmpty();
  }

  private List<DecidedRows> take() {
    synchronized (queue) {
      List<DecidedRows> batch = new ArrayList<>();
      int rows = 0;
      while (rows < BATCH && !queue.isEmpty()) {
        DecidedRows next = queue.remove();
        rows += next.rows().size();
        batch.add(next);
      }
      queuedRows -= rows;
      return batch;
    }
  }

  /** Does as much as possible, never fails; returns whether all work is done. */
  boolean work(List<DecidedRows> batch) {
    List<Item> forward = new ArrayList<>();
    List<Item> back = new ArrayList<>();
    for (DecidedRows each : batch) {
      each.rows().forEach(row -> (each.isCommitted() ? forward : back).add(new Item(each, row)));
    }
    Set<DecidedRows> open = new HashSet<>();
    try {
      send(PostCommit.INSTANCE, forward, this::postCommit, open);
      send(RemoveTentative.INSTANCE, back, this::remove, open);
      forget(batch, open);
    } catch (StoreException e) {
      LOG.debug("{} transactions are left to the sweep and to readers.", batch.size(), e);
      return false;
    }
    return open.isEmpty();
  }

  /** A row, and the transaction that it belongs to. */
  private record Item(DecidedRows of, DecidedRows.WrittenRow written) {
    Row row() {
      return written.row();
    }
  }

  private void forget(List<DecidedRows> batch, Set<DecidedRows> open) {
    List<ForgetEntry.Request> entries = new ArrayList<>();
    for (DecidedRows each : batch) {
      if (each.forget() && !open.contains(each)) {
        entries.add(new ForgetEntry.Request(each.start(), each.commit()));
      }
    }
    commits.forget(entries);
  }

  private <A> void send(
      Procedure<A, OmidAnswer> procedure,
      List<Item> items,
      Function<Item, A> argument,
      Set<DecidedRows> open) {
    List<Item> pending = items;
    for (int attempt = 0; attempt < EPOCH_ATTEMPTS && !pending.isEmpty(); attempt++) {
      List<A> arguments = new ArrayList<>(pending.size());
      pending.forEach(item -> arguments.add(argument.apply(item)));
      List<Outcome<OmidAnswer>> outcomes = trips.execute(procedure, arguments, durability);
      List<Item> stale = new ArrayList<>();
      for (int i = 0; i < pending.size(); i++) {
        sort(pending.get(i), outcomes.get(i), stale, open);
      }
      pending = stale;
    }
    pending.forEach(item -> open.add(item.of));
  }

  private void sort(
      Item item, Outcome<OmidAnswer> outcome, List<Item> stale, Set<DecidedRows> open) {
    if (outcome instanceof Outcome.Done<OmidAnswer> done
        && done.result() instanceof OmidAnswer.Refused refused
        && refused.refusal() instanceof Refusal.StaleEpoch) {
      tables.refresh(item.row().table());
      stale.add(item);
    } else if (!(outcome instanceof Outcome.Done<OmidAnswer> done)
        || done.result() instanceof OmidAnswer.Refused) {
      open.add(item.of);
    }
  }

  private PostCommit.Request postCommit(Item item) {
    return new PostCommit.Request(
        item.row(),
        item.written.columns(),
        item.written.weak(),
        epoch(item),
        item.of.start(),
        item.of.commit());
  }

  private RemoveTentative.Request remove(Item item) {
    return new RemoveTentative.Request(item.row(), epoch(item), item.of.start());
  }

  private long epoch(Item item) {
    return tables.epoch(item.row().table());
  }

  /** Finishes the queue, then ends. */
  @Override
  public void close() {
    synchronized (queue) {
      closing = true;
    }
    duty.close();
  }
}
