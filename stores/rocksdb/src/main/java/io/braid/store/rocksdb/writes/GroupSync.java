package io.braid.store.rocksdb.writes;

import io.braid.store.rocksdb.engine.Engine;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/**
 * Writes synced batches in groups: one write and one sync of the log for all batches that came
 * while the last group was on its way.
 *
 * <p>The first caller leads: it writes the queued batches as one batch, hands out the result, and
 * hands the lead on to the first caller that came meanwhile. Followers sleep until their batch is
 * synced or the lead is theirs. Without followers a leader writes alone, so no caller waits for
 * company. The groups grow by themselves as a sync takes longer.
 *
 * <p>Every caller holds the locks of its own rows, so the batches of a group touch different rows
 * and may be merged in any order.
 */
final class GroupSync {
  /** A group ends when it has so many bytes. */
  private static final int MOST_BYTES = 4 << 20;

  private final Engine engine;

  // Guarded by this.
  private List<Member> queue = new ArrayList<>();
  private boolean led;

  GroupSync(Engine engine) {
    this.engine = engine;
  }

  /** A caller that waits with a batch. */
  private static final class Member {
    private enum Part {
      WAITS,
      LEADS,
      WRITTEN,
      FAILED
    }

    private final Thread thread = Thread.currentThread();
    private final BatchBytes bytes;
    private volatile Part part = Part.WAITS;
    private @Nullable RocksDBException failure;

    Member(BatchBytes bytes) {
      this.bytes = bytes;
    }

    void tell(Part next) {
      part = next;
      LockSupport.unpark(thread);
    }

    Part await() {
      boolean interrupted = false;
      while (part == Part.WAITS) {
        LockSupport.park(this);
        interrupted |= Thread.interrupted();
      }
      if (interrupted) {
        thread.interrupt();
      }
      return part;
    }
  }

  /** Returns once the batch is synced and can be read. */
  void write(BatchBytes bytes) throws RocksDBException {
    Member self = new Member(bytes);
    if (!takeTheLead(self)) {
      Member.Part part = self.await();
      if (part == Member.Part.FAILED) {
        RocksDBException why = self.failure;
        throw why == null ? new RocksDBException("The group was not written.") : why;
      }
      if (part != Member.Part.LEADS) {
        return;
      }
    }
    lead(self);
  }

  /** Otherwise the member is queued. */
  private synchronized boolean takeTheLead(Member member) {
    if (led) {
      queue.add(member);
      return false;
    }
    led = true;
    return true;
  }

  private void lead(Member leader) throws RocksDBException {
    List<Member> group = List.of();
    RocksDBException failure = null;
    boolean written = false;
    try {
      group = gather(leader);
      engine.logSyncs.increment();
      write(leader, group);
      written = true;
    } catch (RocksDBException e) {
      failure = e;
      throw e;
    } catch (RuntimeException | Error e) {
      failure = new RocksDBException("The group was not written: " + e);
      throw e;
    } finally {
      handOn();
      for (Member member : group) {
        member.failure = failure;
        // Not by the failure: without memory there may be none to tell.
        member.tell(written ? Member.Part.WRITTEN : Member.Part.FAILED);
      }
    }
  }

  /** Takes the followers from the queue whose batches may be merged with that of the leader. */
  private synchronized List<Member> gather(Member leader) {
    long bytes = leader.bytes.length();
    int count = 0;
    while (leader.bytes.merges() && count < queue.size()) {
      BatchBytes next = queue.get(count).bytes;
      bytes += next.length();
      if (!next.merges() || bytes > MOST_BYTES) {
        break;
      }
      count++;
    }
    List<Member> group = queue.subList(0, count);
    queue = new ArrayList<>(queue.subList(count, queue.size()));
    return group;
  }

  private void write(Member leader, List<Member> group) throws RocksDBException {
    if (group.isEmpty()) {
      leader.bytes.write(engine, engine.synced);
      return;
    }
    try (BatchBytes merged = new BatchBytes()) {
      merged.addAll(leader.bytes);
      for (Member member : group) {
        merged.addAll(member.bytes);
      }
      merged.write(engine, engine.synced);
    }
  }

  private synchronized void handOn() {
    if (queue.isEmpty()) {
      led = false;
    } else {
      queue.remove(0).tell(Member.Part.LEADS);
    }
  }
}
