package io.braid.benchmarks;

import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.omid.manager.LocalTransactionManager;
import io.braid.omid.manager.TransactionManager;
import io.braid.omid.manager.WriteSet;
import io.braid.omid.rows.DecideEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The manager of the first Omid, which Omid LL is compared with: it writes the commit entries
 * itself, in batches, and answers when they are written; a begin waits until all commits that were
 * granted before it are.
 */
final class LegacyManager implements TransactionManager, AutoCloseable {
  private static final long POLL_NANOS = 50_000;

  private final LocalTransactionManager conflicts;
  private final CellStore store;
  private final Thread writer = new Thread(this::write, "legacy-manager");
  private volatile boolean closed;

  // Guarded by this.
  private final TreeSet<Long> open = new TreeSet<>();
  private long tickets;
  private List<Granted> gathered = new ArrayList<>();

  private record Granted(long ticket, long start, long commit) {}

  LegacyManager(LocalTransactionManager conflicts, CellStore store) {
    this.conflicts = conflicts;
    this.store = store;
    writer.setDaemon(true);
    writer.start();
  }

  @Override
  public Begun begin() {
    Begun begun = conflicts.begin();
    await(lastTicket());
    return begun;
  }

  @Override
  public Begun enter(long timestamp) {
    return conflicts.enter(timestamp);
  }

  @Override
  public Verdict commit(WriteSet writes) {
    long ticket = take();
    Verdict verdict = conflicts.commit(writes);
    if (verdict == Verdict.GRANTED) {
      gather(List.of(new Granted(ticket, writes.start(), writes.commit())));
      await(ticket);
    } else {
      done(ticket);
    }
    return verdict;
  }

  /** Commits of others, whose answers nobody here waits for. */
  void commitAll(List<WriteSet> batch, Verdict[] verdicts) {
    conflicts.commitAll(batch, verdicts);
    List<Granted> granted = new ArrayList<>();
    for (int i = 0; i < batch.size(); i++) {
      if (verdicts[i] == Verdict.GRANTED) {
        granted.add(new Granted(take(), batch.get(i).start(), batch.get(i).commit()));
      }
    }
    gather(granted);
  }

  private synchronized long lastTicket() {
    return tickets;
  }

  private synchronized long take() {
    open.add(++tickets);
    return tickets;
  }

  private synchronized void gather(List<Granted> granted) {
    gathered.addAll(granted);
    LockSupport.unpark(writer);
  }

  private synchronized void done(long ticket) {
    open.remove(ticket);
    notifyAll();
  }

  /** Waits until what was granted up to a ticket is written. */
  private synchronized void await(long ticket) {
    try {
      while (!open.isEmpty() && open.first() <= ticket) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized @Nullable List<Granted> next() {
    List<Granted> batch = gathered;
    gathered = new ArrayList<>();
    return batch.isEmpty() ? null : batch;
  }

  private void write() {
    while (!closed) {
      List<Granted> batch = next();
      if (batch == null) {
        LockSupport.parkNanos(POLL_NANOS);
        continue;
      }
      List<DecideEntry.Request> entries = new ArrayList<>(batch.size());
      batch.forEach(each -> entries.add(new DecideEntry.Request(each.start, each.commit)));
      store.execute(DecideEntry.INSTANCE, entries, Durability.BUFFERED);
      synchronized (this) {
        batch.forEach(each -> open.remove(each.ticket));
        notifyAll();
      }
    }
  }

  @Override
  public long fence(long table) {
    return conflicts.fence(table);
  }

  @Override
  public long lowWatermark() {
    return conflicts.lowWatermark();
  }

  @Override
  public void close() {
    closed = true;
  }
}
