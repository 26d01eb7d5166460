package io.braid.gateway.transactions;

import io.braid.Braid;
import io.braid.core.data.Bytes;
import io.braid.core.failure.ErrorCode;
import io.braid.core.protocol.Duty;
import io.braid.core.runtime.Seams;
import io.braid.core.transaction.Protocol;
import io.braid.core.transaction.Transaction;
import io.braid.gateway.access.Identity;
import io.braid.http.HttpRefusal;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Transactions that clients hold open. Those whose lease ends are rolled back; how many there may
 * be, and how much they may buffer together, is bounded.
 */
public final class OpenTransactions implements AutoCloseable {
  private static final Duration PERIOD = Duration.ofMillis(500);

  /** How long the end of a transaction waits for another request that uses it. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final int ID_BYTES = 16;

  private final Braid db;
  private final Seams seams;
  private volatile Bounds bounds;
  private final SecureRandom random = new SecureRandom();
  private final ConcurrentMap<String, OpenTransaction> open = new ConcurrentHashMap<>();
  private final AtomicLong expired = new AtomicLong();
  private final Duty sweep;

  /**
   * The limits.
   *
   * @param lease the lease if a client asks for none
   * @param each transactions of one identity that has no limit of its own
   * @param bytes that all transactions buffer together
   * @param bytesEach that those of one identity buffer together, if it has no limit of its own
   */
  public record Bounds(
      Duration lease, Duration longestLease, int all, int each, long bytes, long bytesEach) {}

  /** The facts about a transaction that its client knows. */
  public record BegunTransaction(String id, long start, Duration lease) {}

  /**
   * One of the requests of a transaction.
   *
   * @param number higher than that of the one before, or the same again; 0: not counted
   * @param bytes that it may buffer
   * @param writes the protocol whose tables it writes, if it writes any
   * @param what a fingerprint of its operations, which distinguishes it from another step of the
   *     same number
   */
  public record Step(long number, long bytes, Optional<Protocol> writes, Bytes what) {}

  public OpenTransactions(Braid db, Seams seams, Bounds bounds) {
    this.db = db;
    this.seams = seams;
    this.bounds = bounds;
    this.sweep = Duty.start(seams, "transaction-leases", PERIOD, this::expire);
  }

  /**
   * Sets other bounds from now on. Open transactions beyond the bounds stay open, but no more are
   * added.
   */
  public void bounds(Bounds next) {
    bounds = next;
  }

  /**
   * Begins one.
   *
   * @throws HttpRefusal when there are too many
   */
  public BegunTransaction begin(Identity owner, Duration lease) {
    if (lease.compareTo(bounds.longestLease()) > 0 || lease.isZero()) {
      throw new IllegalArgumentException(
          "A lease is longer than nothing, and at most "
              + bounds.longestLease().toSeconds()
              + " s.");
    }
    long own = of(owner).count();
    if (open.size() >= bounds.all()
        || own >= owner.allowance().transactions().orElse(bounds.each())) {
      throw new HttpRefusal(
          429,
          "too many transactions",
          "There are " + own + " open transactions of " + owner.name() + ": end some first.");
    }
    byte[] bytes = new byte[ID_BYTES];
    random.nextBytes(bytes);
    String id = HexFormat.of().formatHex(bytes);
    Transaction transaction = db.begin();
    open.put(id, new OpenTransaction(id, owner, transaction, lease, seams.nanoTime()));
    return new BegunTransaction(id, transaction.timestamp(), lease);
  }

  /** Begins one with the usual lease. */
  public BegunTransaction begin(Identity owner) {
    return begin(owner, bounds.lease());
  }

  /**
   * Uses a transaction, which renews its lease.
   *
   * @throws HttpRefusal when there is no such transaction, it is in use, the step comes late, or
   *     there is no room for its bytes. In the last case, the error "conflict" means that the
   *     transaction was rolled back
   */
  public <R> R use(Identity owner, String id, Step step, BiFunction<Transaction, Runnable, R> use) {
    OpenTransaction one = entered(owner, id, Duration.ZERO);
    try {
      long adds = one.adds(step);
      one.requireWhole(step);
      requireRoom(owner, one, adds);
      one.step(step);
      step.writes().ifPresent(one::writes);
      R done = use.apply(one.transaction(), () -> one.half(step));
      one.whole();
      return done;
    } finally {
      one.leave(seams.nanoTime());
    }
  }

  /**
   * Refuses a step that finds no room. Among the transactions that buffer something, the one that
   * began first may try again until the others have ended. Any other transaction that already holds
   * room is rolled back, so that transactions never wait in a circle (wait-die).
   */
  private void requireRoom(Identity owner, OpenTransaction one, long bytes) {
    long mostEach = owner.allowance().memory().orElse(bounds.bytesEach());
    if (bytes == 0) {
      return;
    }
    if (one.bytes() + bytes > Math.min(mostEach, bounds.bytes())) {
      throw new HttpRefusal(
          413,
          ErrorCode.TOO_LONG.word(),
          "A transaction that buffers so much has no room here: write less.");
    }
    boolean full = buffered() + bytes > bounds.bytes();
    if (!full && sum(of(owner)) + bytes <= mostEach) {
      return;
    }
    if (one.bytes() > 0
        && (full ? open.values().stream() : of(owner)).anyMatch(other -> other.isBefore(one))) {
      open.remove(one.id());
      one.transaction().close();
      throw new HttpRefusal(
          409,
          ErrorCode.CONFLICT.word(),
          "The open transactions buffer too much, and others began before this one: it is rolled"
              + " back; run it again.");
    }
    throw new HttpRefusal(
        429, "too much", "The open transactions buffer too much: commit some first.");
  }

  private Stream<OpenTransaction> of(Identity owner) {
    return open.values().stream().filter(tx -> tx.owner().equals(owner.name()));
  }

  private static long sum(Stream<OpenTransaction> transactions) {
    return transactions.mapToLong(OpenTransaction::bytes).sum();
  }

  /**
   * Commits a transaction, which is over afterwards, whatever the use does. A transaction with a
   * half-done step is refused, and stays as it is. Waits for a request that uses the transaction,
   * so that a client that sends the same end twice can learn from the second answer how the first
   * one ended.
   *
   * @throws HttpRefusal as {@link #use use} does
   */
  public <R> R commit(Identity owner, String id, BiFunction<Transaction, Protocol, R> use) {
    return end(
        owner,
        id,
        OpenTransaction::requireWhole,
        one -> use.apply(one.transaction(), one.protocol()));
  }

  /** Rolls one back, as {@link #commit commit} ends it. */
  public void rollBack(Identity owner, String id) {
    end(
        owner,
        id,
        one -> {},
        one -> {
          one.transaction().rollback();
          return true;
        });
  }

  /**
   * @param allowed throws when the transaction may not end
   */
  private <R> R end(
      Identity owner,
      String id,
      Consumer<OpenTransaction> allowed,
      Function<OpenTransaction, R> use) {
    OpenTransaction one = entered(owner, id, PATIENCE);
    try {
      allowed.accept(one);
      try {
        return use.apply(one);
      } finally {
        open.remove(id);
        one.transaction().close();
      }
    } finally {
      one.leave(seams.nanoTime());
    }
  }

  private OpenTransaction entered(Identity owner, String id, Duration patience) {
    OpenTransaction one = open.get(id);
    if (one == null || !one.owner().equals(owner.name())) {
      throw noSuch();
    }
    if (!one.enter(patience)) {
      throw new HttpRefusal(
          409,
          ErrorCode.BUSY.word(),
          "Another request uses this transaction: send one after another.");
    }
    if (!open.containsKey(id)) {
      one.leave(seams.nanoTime());
      throw noSuch();
    }
    return one;
  }

  private static HttpRefusal noSuch() {
    return new HttpRefusal(
        404,
        ErrorCode.NO_SUCH_TRANSACTION.word(),
        "It has ended, or its lease has: nothing was committed by it unless its commit was sent."
            + " Begin another one.");
  }

  private boolean expire() {
    long now = seams.nanoTime();
    for (OpenTransaction one : open.values()) {
      if (one.expired(now) && one.enter()) {
        try {
          if (one.expired(now) && open.remove(one.id()) != null) {
            expired.incrementAndGet();
            one.transaction().close();
          }
        } finally {
          one.leave(now);
        }
      }
    }
    return false;
  }

  /** How many are open. */
  public int count() {
    return open.size();
  }

  /** How much they buffer, about. */
  public long buffered() {
    return sum(open.values().stream());
  }

  /** How many leases have ended. */
  public long expiredCount() {
    return expired.get();
  }

  /** Rolls back what is open. */
  @Override
  public void close() {
    sweep.close();
    open.values().forEach(one -> one.transaction().close());
    open.clear();
  }
}
