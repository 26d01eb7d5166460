package io.braid.store.hbase.region;

import io.braid.core.store.Veils;
import io.braid.core.store.Veils.Veil;
import io.braid.store.hbase.wire.VeilRecord;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The veils over its table, as an open region knows them. Invariants:
 *
 * <ul>
 *   <li>A region knows every veil before cells come under it. The region reads the records when it
 *       opens. A process that makes a veil writes the record, then has all open regions read again.
 *   <li>A veil is <em>closing</em> while its lift makes the last check for blocking rows and writes
 *       the record. During this time the region writes nothing, and serves only snapshots at or
 *       below the version that it reported to the lift as reached. So whatever version the lift
 *       draws, no reader has seen anything that the lift would change.
 *   <li>The region opens again only when it has read that the lift has ended. If this takes too
 *       long, the region gives the lift up itself, through the record. Exactly one of the two
 *       changes of the record succeeds.
 * </ul>
 *
 * <p>A record with an older attempt than the known one is an old reading, and is ignored.
 */
final class TableVeils {
  private static final long LONGEST_CLOSING_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long LOCK_MILLIS = 1000;

  /** Reads and changes the records of the table's veils. */
  interface Records {
    List<VeilRecord> read() throws IOException;

    /** Replaces a record if it is unchanged. */
    void replace(VeilRecord before, VeilRecord after) throws IOException;
  }

  /** Nothing was done: the caller shall try again. */
  static final class ClosingException extends RuntimeException {
    ClosingException(String text) {
      super(text);
    }
  }

  /**
   * @param reached up to where snapshots are served while a veil is closing
   */
  private record State(Veils veils, Map<Long, VeilRecord> records, long reached, long since) {
    boolean isClosing() {
      return reached < Long.MAX_VALUE;
    }

    @Nullable VeilRecord record(VeilRecord other) {
      return records.get(other.veil().version());
    }
  }

  private final Records records;
  private final ServerClock clock;
  private final LongSupplier nanos;
  private final ReentrantReadWriteLock writers = new ReentrantReadWriteLock();
  private final AtomicBoolean looking = new AtomicBoolean();
  private volatile State state = new State(Veils.NONE, Map.of(), Long.MAX_VALUE, 0);
  private volatile boolean known;
  private volatile long lookedNanos;
  private volatile long heldUntil;

  /**
   * @param nanos a monotonic clock
   */
  TableVeils(Records records, ServerClock clock, LongSupplier nanos) {
    this.records = records;
    this.clock = clock;
    this.nanos = nanos;
    this.lookedNanos = nanos.getAsLong() - LOOK_NANOS;
  }

  /**
   * To be called before any other; reads until they are known. One caller does, the others do not
   * wait.
   *
   * @return false when they are not known now
   */
  boolean find() {
    if (!known && looking.compareAndSet(false, true)) {
      try {
        learn(-1, 0);
      } catch (IOException | InterruptedException e) {
        restore(e);
      } finally {
        looking.set(false);
      }
    }
    return known;
  }

  private static void restore(Exception e) {
    if (e instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Reads the records.
   *
   * @param version of the veil that a lift wants closed; negative when none does
   * @return what the region has reached; negative when it is not closed for that lift
   */
  long learn(long version, long attempt) throws IOException, InterruptedException {
    List<VeilRecord> read = records.read();
    Lock alone = writers.writeLock();
    if (!alone.tryLock(LOCK_MILLIS, TimeUnit.MILLISECONDS)) {
      throw new IOException("The region is writing.");
    }
    try {
      return install(read, version, attempt);
    } finally {
      alone.unlock();
    }
  }

  /**
   * Installs the records. No call writes meanwhile, so all versions drawn here are applied.
   *
   * <p>Only a region that was open and knew the veils before the lift began goes on serving
   * snapshots. For any other region, the lift may have asked an earlier opening of that region.
   */
  private long install(List<VeilRecord> read, long version, long attempt) {
    State before = state;
    Map<Long, VeilRecord> now = new HashMap<>(before.records);
    for (VeilRecord each : read) {
      now.merge(each.veil().version(), each, TableVeils::later);
    }
    List<Veil> veils = now.values().stream().map(VeilRecord::veil).toList();
    veils.stream().filter(Veil::isLifted).forEach(each -> clock.raise(each.commit()));
    List<VeilRecord> closing = now.values().stream().filter(VeilRecord::closing).toList();
    VeilRecord wanted = now.get(version);
    boolean told = wanted != null && wanted.closing() && wanted.attempt() == attempt;
    long reached = reached(before, closing, told);
    long since = before.isClosing() ? before.since : nanos.getAsLong();
    state = new State(new Veils(veils), Map.copyOf(now), reached, since);
    known = true;
    if (!told) {
      return -1;
    }
    return reached == 0 ? clock.now() : reached;
  }

  private long reached(State before, List<VeilRecord> closing, boolean told) {
    if (closing.isEmpty()) {
      return Long.MAX_VALUE;
    }
    if (before.isClosing()) {
      boolean same = closing.stream().allMatch(each -> each.equals(before.record(each)));
      return same ? before.reached : 0;
    }
    return known && told && closing.size() == 1 ? clock.now() : 0;
  }

  /** Returns the later of two records. A lift ends once: a decision stays. */
  private static VeilRecord later(VeilRecord a, VeilRecord b) {
    if (a.attempt() != b.attempt()) {
      return a.attempt() > b.attempt() ? a : b;
    }
    if (a.veil().isDown() != b.veil().isDown()) {
      return a.veil().isDown() ? b : a;
    }
    return a.closing() ? b : a;
  }

  /** Returns the veils as shown at a snapshot; 0 for a snapshot that sees the newest. */
  Veils at(long snapshot) {
    State now = state;
    if (isServed(now, snapshot)) {
      return now.veils;
    }
    look();
    now = state;
    if (isServed(now, snapshot)) {
      return now.veils;
    }
    throw new ClosingException("A load is becoming visible.");
  }

  /** Returns the present veils, for a caller that has entered. */
  Veils now() {
    return state.veils;
  }

  private static boolean isServed(State now, long snapshot) {
    return !now.isClosing() || (snapshot != 0 && snapshot <= now.reached);
  }

  /** Whether nothing has come under a veil since this was asked for. */
  boolean isCurrent(Veils veils) {
    return state.veils.all().size() == veils.all().size();
  }

  /**
   * Keeps lifts out while a procedure writes; the caller owes an {@code unlock}.
   *
   * @throws ClosingException when a lift is under way
   */
  Lock enter() {
    at(0);
    Lock one = writers.readLock();
    one.lock();
    if (state.isClosing()) {
      one.unlock();
      throw new ClosingException("A load is becoming visible.");
    }
    return one;
  }

  /** One caller looks up the outcome of a lift; others do not wait. */
  private void look() {
    if (nanos.getAsLong() - lookedNanos < LOOK_NANOS || !looking.compareAndSet(false, true)) {
      return;
    }
    try {
      State before = state;
      if (before.isClosing() && nanos.getAsLong() - before.since > LONGEST_CLOSING_NANOS) {
        giveUp(before);
      }
      learn(-1, 0);
    } catch (IOException | InterruptedException e) {
      restore(e);
    } finally {
      lookedNanos = nanos.getAsLong();
      looking.set(false);
    }
  }

  private void giveUp(State closed) throws IOException {
    for (VeilRecord each : closed.records.values()) {
      if (each.closing()) {
        records.replace(each, each.reopen());
      }
    }
  }

  /** For a while the table says that it is closing, so that no more gets in the way of a lift. */
  void hold(long millis) {
    heldUntil = Math.max(1, nanos.getAsLong() + TimeUnit.MILLISECONDS.toNanos(millis));
  }

  boolean isHeld() {
    long until = heldUntil;
    return until != 0 && nanos.getAsLong() < until;
  }
}
