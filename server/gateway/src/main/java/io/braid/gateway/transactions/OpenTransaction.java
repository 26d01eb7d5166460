package io.braid.gateway.transactions;

import io.braid.core.transaction.Protocol;
import io.braid.core.transaction.Transaction;
import io.braid.gateway.access.Identity;
import io.braid.gateway.transactions.OpenTransactions.Step;
import io.braid.http.HttpRefusal;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A transaction that a client holds open from afar, as long as it renews its lease. */
final class OpenTransaction {
  private final String id;
  private final String owner;
  private final Transaction transaction;
  private final Duration lease;
  private final ReentrantLock use = new ReentrantLock();
  private volatile long until;
  private volatile long bytes;
  private volatile Protocol protocol = Protocol.PERCOLATOR;
  private volatile @Nullable Step last;
  private volatile @Nullable Step half;

  OpenTransaction(String id, Identity owner, Transaction transaction, Duration lease, long now) {
    this.id = id;
    this.owner = owner.name();
    this.transaction = transaction;
    this.lease = lease;
    this.until = now + lease.toNanos();
  }

  String id() {
    return id;
  }

  String owner() {
    return owner;
  }

  Transaction transaction() {
    return transaction;
  }

  Duration lease() {
    return lease;
  }

  /**
   * Enters the transaction, which one request at a time uses. Returns false while another one does.
   */
  boolean enter() {
    return use.tryLock();
  }

  /**
   * Enters like {@link #enter()}, after a wait for the other request; an interrupt ends the wait.
   */
  boolean enter(Duration patience) {
    try {
      return use.tryLock(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Ends a use, which renewed the lease. */
  void leave(long now) {
    until = now + lease.toNanos();
    use.unlock();
  }

  boolean expired(long now) {
    return now - until > 0;
  }

  /** Returns the approximate number of bytes that the transaction has buffered. */
  long bytes() {
    return bytes;
  }

  /** Whether it buffers something, and began before another one. */
  boolean isBefore(OpenTransaction other) {
    return bytes > 0 && transaction.timestamp() < other.transaction.timestamp();
  }

  /**
   * Returns the bytes that a step adds to the buffer: none if it repeats the last step with the
   * same operations. A late step is refused: a request delayed until its client had gone on would
   * write old values over new ones.
   *
   * @throws HttpRefusal when the step comes late
   */
  long adds(Step next) {
    Step before = last;
    if (next.number() == 0 || before == null) {
      return next.bytes(); // the client does not count, or begins to
    }
    if (next.number() < before.number()) {
      throw new HttpRefusal(
          409,
          "late",
          "Step "
              + next.number()
              + " comes after step "
              + before.number()
              + " of this transaction: nothing was done.");
    }
    return next.equals(before) ? 0 : next.bytes();
  }

  /**
   * Goes on to a step, or does the last one again; called by the request that uses the transaction.
   */
  void step(Step next) {
    long sum = bytes + adds(next);
    bytes = sum;
    if (next.number() != 0) {
      last = next;
    }
  }

  /** Notes that a step has done a part of its work. */
  void half(Step step) {
    half = step;
  }

  /** Notes that a step was done. */
  void whole() {
    half = null;
  }

  /** Refuses a request after a step that failed half done, except a repetition of that step. */
  void requireWhole(Step next) {
    Step before = half;
    if (before != null && (next.number() == 0 || !next.equals(before))) {
      requireWhole();
    }
  }

  /** Refuses a request after a step that failed half done. */
  void requireWhole() {
    if (half != null) {
      throw new HttpRefusal(
          409,
          "half done",
          "A request of this transaction was refused after a part of it had been done: roll the"
              + " transaction back, and begin another one.");
    }
  }

  /** Returns the protocol whose tables it writes. */
  Protocol protocol() {
    return protocol;
  }

  /** Sets the protocol whose tables it writes; called by the request that uses the transaction. */
  void writes(Protocol of) {
    protocol = of;
  }
}
