package io.braid.store.hbase;

import io.braid.core.data.Row;
import io.braid.core.store.Lift;
import io.braid.core.store.LiftCheck;
import io.braid.core.store.StoreException;
import io.braid.core.store.TableReplacedException;
import io.braid.core.store.Veils;
import io.braid.core.store.Veils.Veil;
import io.braid.core.time.Timestamp;
import io.braid.store.hbase.wire.Call;
import io.braid.store.hbase.wire.VeilRecord;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Veils in a store of many servers. One record for each veil holds what is decided, and changes by
 * test-and-set. Before a lift commits, all regions wait for it, see {@link
 * io.braid.store.hbase.region.TableVeils}. A lift takes these steps:
 *
 * <ol>
 *   <li>It checks for rows that block it, without disturbing any call.
 *   <li>It writes that the veil is <em>closing</em>, and has all regions read this. From then on
 *       the regions write nothing, and serve no snapshot above the version that they reported as
 *       reached.
 *   <li>It checks the epoch and the blocking rows again.
 *   <li>It writes the version, one above the highest reported version. This write is the commit.
 *   <li>It has the regions read the version. A region that misses the message looks by itself.
 * </ol>
 *
 * <p>If the process dies in between, the table stays closed. The regions give the lift up after two
 * seconds, through the same record.
 */
final class ClusterVeils {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterVeils.class);

  /**
   * The process that wants the lift tries again sooner. If that process died, no other process
   * waits for longer than this.
   */
  private static final long HOLD_MILLIS = 200;

  /** Regions give up later. */
  private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(1500);

  private final Tables tables;
  private final Watermark watermark;
  private final VeilRecords records;
  private final VeilCalls calls;
  private final LiftObstacles obstacles;
  private final AtomicLong longestPause = new AtomicLong();

  ClusterVeils(
      Tables tables,
      Watermark watermark,
      VeilRecords records,
      VeilCalls calls,
      LiftObstacles obstacles) {
    this.tables = tables;
    this.watermark = watermark;
    this.records = records;
    this.calls = calls;
    this.obstacles = obstacles;
  }

  /** One attempt to lift one veil. */
  private record LiftAttempt(
      Tables.KnownTable table,
      VeilRecord record,
      long start,
      long epoch,
      String family,
      LiftCheck check) {
    String id() {
      return table.marks().id();
    }

    long version() {
      return record.veil().version();
    }

    List<Row> blocked(LiftObstacles obstacles, Veils veils) {
      return obstacles.find(table, veils, version(), family, check);
    }
  }

  Veils all(String name) {
    Tables.KnownTable table = tables.look(name);
    return table == null ? Veils.NONE : records.veils(table.marks().id());
  }

  void veil(String name, long version, boolean wins) {
    Tables.KnownTable table = tables.recent(name);
    TableReplacedException.check(name, table.birth(), version);
    records.create(table.marks().id(), VeilRecord.down(version, wins));
    calls.tell(table, look(table, 0));
  }

  private static Call.Veils look(Tables.KnownTable table, long holdMillis) {
    return new Call.Veils(table.schema().name(), table.marks().id(), -1, 0, holdMillis);
  }

  boolean discard(String name, long version) {
    Tables.KnownTable table = tables.recent(name);
    String id = table.marks().id();
    while (true) {
      VeilRecord before = records.get(id, version);
      if (before == null) {
        records.create(id, VeilRecord.down(version, false));
        continue;
      }
      if (before.veil().isLifted()) {
        return false;
      }
      if (before.veil().commit() == 0 || records.replace(id, before, before.at(0))) {
        calls.tell(table, look(table, 0));
        return true;
      }
    }
  }

  /** See {@link io.braid.core.store.CellStore#lift}. */
  Lift lift(String name, long version, long start, long epoch, String family, LiftCheck check) {
    Tables.KnownTable table = tables.recent(name);
    table.checkFamily(family);
    String id = table.marks().id();
    Veils veils = records.veils(id);
    Veil veil = veils.require(version, watermark.get());
    VeilRecord record = records.get(id, version);
    if (record == null) {
      throw new StoreException("The record of the veil over version " + version + " is gone.");
    }
    if (veil.isLifted()) {
      tell(table);
      return Lift.at(veil.commit());
    }
    if (tables.epoch(name) != epoch) {
      return Lift.STALE;
    }
    LiftAttempt wanted = new LiftAttempt(table, record, start, epoch, family, check);
    List<Row> blocked = wanted.blocked(obstacles, veils);
    if (!blocked.isEmpty()) {
      calls.tell(table, look(table, HOLD_MILLIS));
      return Lift.blockedBy(blocked);
    }
    VeilRecord closed = record.close();
    return records.replace(id, record, closed) ? closed(wanted, closed) : Lift.EXHAUSTED;
  }

  private Lift closed(LiftAttempt wanted, VeilRecord closed) {
    long begun = System.nanoTime();
    boolean ended = false;
    try {
      Lift lift = decide(wanted, closed, begun);
      ended = lift.isLifted();
      return lift;
    } finally {
      if (!ended) {
        records.replace(wanted.id(), closed, closed.reopen());
      }
      longestPause.accumulateAndGet(System.nanoTime() - begun, Math::max);
      tell(wanted.table);
    }
  }

  private Lift decide(LiftAttempt wanted, VeilRecord closed, long begun) {
    Tables.KnownTable table = wanted.table;
    VeilCalls.Answer answer =
        calls.tell(
            table,
            new Call.Veils(
                table.schema().name(), wanted.id(), wanted.version(), closed.attempt(), 0));
    if (!answer.ready()) {
      return Lift.EXHAUSTED;
    }
    Veils veils = records.veils(wanted.id());
    veils.require(wanted.version(), watermark.get());
    if (tables.epoch(table.schema().name()) != wanted.epoch) {
      return Lift.STALE;
    }
    List<Row> blocked = wanted.blocked(obstacles, veils);
    if (!blocked.isEmpty()) {
      return Lift.blockedBy(blocked);
    }
    long commit = Math.max(answer.reached(), wanted.start) + 1;
    if (Timestamp.local(commit) == 0
        || System.nanoTime() - begun > LONGEST_NANOS
        || !records.replace(wanted.id(), closed, closed.at(commit))) {
      return Lift.EXHAUSTED;
    }
    return Lift.at(commit);
  }

  /**
   * Has the regions read the records. A region that misses the message looks by itself before it
   * answers.
   */
  private void tell(Tables.KnownTable table) {
    try {
      calls.tell(table, look(table, 0));
    } catch (StoreException e) {
      LOG.debug("A region of table {} was not told of a veil.", table.name(), e);
    }
  }

  /**
   * Gives up all lifts that are under way: they began before something that they had to look at was
   * written.
   */
  void reopen(String name) {
    Tables.KnownTable table = tables.get(name);
    String id = table.marks().id();
    for (VeilRecord each : records.all(id)) {
      if (each.closing()) {
        records.replace(id, each, each.reopen());
      }
    }
  }

  /** How long a lift kept others waiting since this was last asked, in nanoseconds. */
  long takeLongestPause() {
    return longestPause.getAndSet(0);
  }
}
