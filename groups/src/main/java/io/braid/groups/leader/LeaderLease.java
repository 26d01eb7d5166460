package io.braid.groups.leader;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.KeyRange;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.ReplaceCell;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowScanner;
import io.braid.core.store.RowWrite;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.groups.rows.RenewLease;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How long this process may trust that it still leads its groups. The log and the epochs of the
 * holds fence the commits of a leader, but not its reads. So the process renews a cell of its own.
 * It trusts the cell for four fifths of the lease, by its own clock, from before it asked for the
 * renewal. Other processes take its groups when it is not alive and they have seen the cell
 * unchanged for the whole lease, by their clocks. Clocks may differ in pace by a tenth.
 *
 * <p>A renewal does not mend a lease that has lapsed, since other processes may have taken groups
 * over meanwhile, or be about to. The renewal begins another <i>term</i>. The process must take
 * over its groups of an earlier term again, from itself.
 */
final class LeaderLease {
  private final CellStore store;
  private final Seams seams;
  private final Duration lease;
  private final Durability durability;
  private final Map<String, SeenLease> seen = new ConcurrentHashMap<>();
  private volatile Trust trust = new Trust(0, 0);
  private long renewals;
  private volatile boolean resigned;
  private boolean toldOfEnd;

  /** Of a term; term 0 is none. */
  private record Trust(long term, long until) {}

  private record SeenLease(Bytes value, long since) {}

  /**
   * @param lease zero when no other process can lead groups of this store: then it is not needed
   */
  LeaderLease(CellStore store, Seams seams, Duration lease, Durability durability) {
    this.store = store;
    this.durability = durability;
    this.seams = seams;
    this.lease = lease;
  }

  /** How often it has to be renewed. */
  Duration period() {
    return lease.isZero() ? Duration.ofSeconds(1) : lease.dividedBy(8);
  }

  void renew() {
    if (lease.isZero()) {
      return;
    }
    long asked = seams.nanoTime();
    long wanted = term();
    if (write(false)) {
      // The lease must not have lapsed when the answer arrives, not when it was asked for.
      boolean lapsed = !isTrusted(wanted);
      trust = new Trust(lapsed ? wanted + 1 : wanted, asked + lease.toNanos() / 5 * 4);
    }
  }

  private boolean write(boolean resigned) {
    RenewLease.Request next =
        new RenewLease.Request(seams.liveness().token(), ++renewals, resigned);
    Outcome<Boolean> outcome = store.execute(RenewLease.INSTANCE, next, durability);
    return outcome instanceof Outcome.Done<Boolean> done && done.result();
  }

  /**
   * Gives up leading all groups. Other processes then need not wait for the lease or for the death
   * of this process. Repeat the call until the resignation is written. No renewal may be written
   * after that.
   *
   * @return whether the resignation is written
   */
  boolean resign() {
    resigned = true;
    distrust();
    toldOfEnd = toldOfEnd || write(true);
    return toldOfEnd;
  }

  /** Whether this process has resigned. */
  boolean isResigned() {
    return resigned;
  }

  /** Those that have resigned, and were heard. */
  Set<String> resigned() {
    if (lease.isZero()) {
      return Set.of();
    }
    Map<String, Bytes> all = all();
    all.values().removeIf(value -> !RenewLease.isResigned(value));
    return all.keySet();
  }

  /** The leases of all processes. */
  private Map<String, Bytes> all() {
    Map<String, Bytes> all = new HashMap<>();
    ScanRequest request =
        ScanRequest.of(
            Families.SYSTEM_TABLE,
            KeyRange.prefix(RenewLease.prefix()),
            Selection.column(RenewLease.column()));
    try (RowScanner scanner = store.scan(request)) {
      for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
        all.put(RenewLease.tokenOf(row.row()), row.cells().get(0).value());
      }
    }
    return all;
  }

  private void distrust() {
    trust = new Trust(term() + 1, seams.nanoTime());
  }

  /** The term that this process is in; groups belong to the one they were taken in. */
  long term() {
    return trust.term;
  }

  /** Whether no other process can lead groups of this store. */
  boolean isExclusive() {
    return lease.isZero();
  }

  /**
   * Returns whether, at this moment, only this process can lead the groups that it took in a term.
   */
  boolean isTrusted(long term) {
    Trust now = trust;
    return lease.isZero() || (term == now.term && term > 0 && seams.nanoTime() - now.until < 0);
  }

  /** Whether the groups of another process may be taken. */
  boolean hasEnded(String token) {
    if (seams.liveness().isAlive(token)) {
      seen.remove(token);
      return false;
    }
    if (lease.isZero()) {
      return true;
    }
    RowCells row =
        store.read(RowRead.of(RenewLease.row(token), Selection.column(RenewLease.column())));
    if (row.isEmpty()) {
      return true;
    }
    Bytes value = row.cells().get(0).value();
    SeenLease before = seen.get(token);
    if (before == null || !before.value.equals(value)) {
      seen.put(token, new SeenLease(value, seams.nanoTime()));
      return false;
    }
    return seams.nanoTime() - before.since >= lease.toNanos();
  }

  /**
   * Removes the leases of processes that ended without giving theirs back. A lease that has ended
   * is worth the same as none: its owner does not trust it any more. If the owner is alive all the
   * same and renews it meanwhile, the lease stays.
   */
  void sweep() {
    if (lease.isZero()) {
      return;
    }
    Map<String, Bytes> all = all();
    seen.keySet().retainAll(all.keySet());
    all.remove(seams.liveness().token());
    all.forEach(
        (token, value) -> {
          if (hasEnded(token)) {
            remove(token, value);
          }
        });
  }

  private void remove(String token, Bytes value) {
    store.execute(
        ReplaceCell.INSTANCE,
        new ReplaceCell.Request(
            RenewLease.row(token), RenewLease.column(), RenewLease.VERSION, value, Bytes.EMPTY),
        Durability.BUFFERED);
  }

  /** From now on this process leads nothing. */
  void giveBack() {
    distrust();
    if (!lease.isZero()) {
      RowWrite own =
          RowWrite.remove(
              RenewLease.row(seams.liveness().token()), RenewLease.column(), RenewLease.VERSION);
      store.write(List.of(own), Durability.BUFFERED);
    }
  }
}
