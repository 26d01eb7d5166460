package io.braid.server.coordinator;

import io.braid.core.runtime.Seams;
import io.braid.server.coordination.Register;
import io.braid.server.coordination.Register.Entry;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The right to be the coordinator, for one process at a time.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>A holder trusts its lease until {@link #TRUSTED_PERCENT} percent of its duration have
 *       passed, by its own monotonic clock, since it <em>asked</em> for the last renewal that
 *       certainly happened.
 *   <li>Another process takes the lease only when it was given back, or when the record has not
 *       changed for the whole duration. The taker measures by its own monotonic clock, since it had
 *       <em>read</em> the record. A record that cannot be decoded counts as held until then: it may
 *       be of a newer release.
 *   <li>So two processes never trust the lease at once, as long as their monotonic clocks run
 *       equally fast to a fifth. Wall clocks play no part. A suspended process finds its lease in
 *       the past when it goes on, without a query.
 * </ul>
 *
 * <p>One task drives the lease; any may call {@link #isTrusted}.
 */
final class Lease {
  private static final Logger LOG = LoggerFactory.getLogger(Lease.class);

  static final int TRUSTED_PERCENT = 80;

  private final Register register;
  private final Seams seams;
  private final Duration duration;
  private final String holder;
  private final String address;

  private @Nullable Entry held;
  private Entry seen = Entry.NONE;
  private long seenNanos;
  private volatile boolean trusted;
  private volatile long trustedUntil;

  /**
   * @param holder the token of this process
   * @param address where it answers
   */
  Lease(Register register, Seams seams, Duration duration, String holder, String address) {
    this.register = register;
    this.seams = seams;
    this.duration = duration;
    this.holder = holder;
    this.address = address;
  }

  /**
   * Returns whether this process is the coordinator at this instant, as far as its clock can tell.
   */
  boolean isTrusted() {
    return trusted && seams.nanoTime() - trustedUntil < 0;
  }

  /** Takes it if it is free; to be called again and again, for that is how it is seen to be. */
  boolean tryTake() {
    Entry entry = register.read();
    long now = seams.nanoTime();
    if (entry.revision() != seen.revision()) {
      seen = entry;
      seenNanos = now;
    }
    LeaseRecord record = LeaseRecord.of(entry);
    boolean free =
        entry.revision() < 0
            || record != null && !record.held()
            || now - seenNanos > duration.toNanos();
    if (free && entry.revision() >= 0 && record == null) {
      LOG.warn(
          "The record of the coordinator could not be read for {}, and was not renewed: it is"
              + " written again. Find out which program wrote it.",
          duration);
    }
    return free && write(entry, true);
  }

  /** Renews the lease. Returns false when another process has taken it, which ends it for good. */
  boolean renew() {
    Entry entry = held != null ? held : register.read();
    boolean still = isOurs(entry) && write(entry, true);
    trusted &= still;
    return still;
  }

  /** Gives the lease back, so that no process has to wait until it runs out. */
  void giveBack() {
    trusted = false;
    Entry entry = held != null ? held : register.read();
    if (isOurs(entry)) {
      write(entry, false);
    }
    held = null;
  }

  private boolean isOurs(Entry entry) {
    LeaseRecord record = LeaseRecord.of(entry);
    return record != null && record.holder().equals(holder);
  }

  private boolean write(Entry expected, boolean hold) {
    // The content is unknown until it was read again.
    held = null;
    LeaseRecord record = new LeaseRecord(holder, address, hold, seams.random().nextLong());
    long asked = seams.nanoTime();
    if (!register.replace(expected, record.encode())) {
      return false;
    }
    Entry now = register.read();
    boolean ours = now.value().equals(record.encode());
    if (ours) {
      held = now;
      trustedUntil = asked + duration.toNanos() / 100 * TRUSTED_PERCENT;
      trusted = hold;
    }
    return ours;
  }
}
