package io.braid.store.hbase.region;

import io.braid.core.data.Bytes;
import io.braid.core.data.Row;
import io.braid.core.store.Durability;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowRead;
import io.braid.core.store.TableReplacedException;
import io.braid.core.store.UnknownTableException;
import io.braid.store.hbase.wire.Call;
import io.braid.store.hbase.wire.Cells;
import io.braid.store.hbase.wire.HBaseNames;
import io.braid.store.hbase.wire.Reply.Item;
import io.braid.store.hbase.wire.Reply.Status;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.Lock;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.regionserver.Region.RowLock;

/**
 * Runs procedures over the rows of a region.
 *
 * <p>The items of a call are taken in waves of items with different rows. A wave locks its rows, in
 * the order of their keys so that waves cannot block each other in a circle, runs each procedure
 * over what the region holds, and writes what they all wrote in one mutation of the region: it is
 * logged, synced and shown once.
 */
final class RegionCalls {
  static final String NO_LEASE =
      "The region server does not know whether it still serves the region.";

  /** From so many bytes on an answer is sent: the items that are left are asked for again. */
  static final long LONG = 4 << 20;

  private static final Item LATER =
      Item.of(Status.UNAVAILABLE, "The answer is long: ask for the rest.");

  private final OpenRegion region;
  private final ProcedureCatalog catalog;

  RegionCalls(OpenRegion region, ProcedureCatalog catalog) {
    this.region = region;
    this.catalog = catalog;
  }

  OpenRegion region() {
    return region;
  }

  List<Item> read(Call.Read call) {
    List<Item> items = new ArrayList<>(call.reads().size());
    long bytes = 0;
    for (RowRead read : call.reads()) {
      Item item = bytes < LONG ? read(read) : LATER;
      bytes += item.payload().length();
      items.add(item);
    }
    return items;
  }

  private Item read(RowRead read) {
    if (!region.holds(HBaseNames.key(read.row().key()))) {
      return Item.of(Status.WRONG_REGION, "");
    }
    try {
      region.checkSnapshot(read.snapshot());
      Item item = new Item(Status.DONE, Cells.encode(RegionReads.read(region, read)));
      return region.lease().isTrusted() ? item : Item.of(Status.UNAVAILABLE, NO_LEASE);
    } catch (TableReplacedException e) {
      return Item.of(e);
    } catch (UnknownTableException e) {
      return Item.of(Status.UNKNOWN_FAMILY, String.valueOf(e.getMessage()));
    } catch (IOException | TableVeils.ClosingException e) {
      return Item.of(Status.UNAVAILABLE, String.valueOf(e.getMessage()));
    }
  }

  /** Waits until a snapshot may be read. */
  interface SnapshotWait {
    void await(long snapshot) throws IOException;
  }

  /**
   * @param wait for the highest snapshot that the call reads at
   */
  List<Item> execute(Call.Execute call, SnapshotWait wait) throws IOException {
    return execute(procedure(call.procedure()), call, wait);
  }

  private Procedure<?, ?> procedure(String name) {
    Procedure<?, ?> found = catalog.find(name);
    if (found == null) {
      throw new IllegalArgumentException(
          "The region server knows no procedure "
              + name
              + ": put the jars of the same release of Braid on its class path.");
    }
    return found;
  }

  private <A, R> List<Item> execute(Procedure<A, R> procedure, Call.Execute call, SnapshotWait wait)
      throws IOException {
    List<RegionRun<A, R>> runs = new ArrayList<>(call.arguments().size());
    long highest = 0;
    boolean locked = false;
    for (Bytes bytes : call.arguments()) {
      A argument = procedure.argumentCodec().decode(bytes);
      highest = Math.max(highest, procedure.snapshot(argument));
      locked |= procedure.excludesOthers(argument);
      runs.add(new RegionRun<>(region, procedure, argument));
    }
    wait.await(highest);
    for (RegionRun<A, R> run : runs) {
      if (!run.rows().stream().allMatch(this::holds)) {
        run.answer(Item.of(Status.WRONG_REGION, ""));
      }
    }
    if (locked) {
      runLocked(runs, call.durability());
    } else {
      run(runs, 0);
    }
    if (!region.lease().isTrusted()) {
      runs.forEach(RegionRun::withhold);
    }
    return runs.stream().map(RegionRun::answer).toList();
  }

  private <A, R> void runLocked(List<RegionRun<A, R>> runs, Durability durability) {
    Lock noLift;
    try {
      noLift = region.veils().enter();
    } catch (TableVeils.ClosingException e) {
      Item not = Item.of(Status.UNAVAILABLE, String.valueOf(e.getMessage()));
      runs.stream().filter(run -> !run.answered()).forEach(run -> run.answer(not));
      return;
    }
    try {
      long bytes = 0;
      for (List<RegionRun<A, R>> wave : waves(runs)) {
        bytes = run(wave, bytes, durability);
      }
    } finally {
      noLift.unlock();
    }
  }

  private boolean holds(Row row) {
    return row.table().equals(region.table()) && region.holds(HBaseNames.key(row.key()));
  }

  private static <A, R> List<List<RegionRun<A, R>>> waves(List<RegionRun<A, R>> runs) {
    List<List<RegionRun<A, R>>> waves = new ArrayList<>();
    List<RegionRun<A, R>> wave = new ArrayList<>();
    Set<Row> rows = new HashSet<>();
    for (RegionRun<A, R> run : runs) {
      if (run.answered()) {
        continue;
      }
      if (run.rows().stream().anyMatch(rows::contains)) {
        waves.add(wave);
        wave = new ArrayList<>();
        rows.clear();
      }
      wave.add(run);
      rows.addAll(run.rows());
    }
    if (!wave.isEmpty()) {
      waves.add(wave);
    }
    return waves;
  }

  /**
   * Runs what has no answer yet, until there are many bytes of answers.
   *
   * @param before bytes that there are already
   * @return how many there are then
   */
  private static <A, R> long run(List<RegionRun<A, R>> runs, long before) {
    long bytes = before;
    for (RegionRun<A, R> run : runs) {
      if (!run.answered()) {
        if (bytes < LONG) {
          run.run();
        } else {
          run.answer(LATER);
        }
        bytes += run.answer().payload().length();
      }
    }
    return bytes;
  }

  private <A, R> long run(List<RegionRun<A, R>> wave, long before, Durability durability) {
    TreeSet<byte[]> keys = new TreeSet<>(Arrays::compareUnsigned);
    wave.forEach(run -> run.rows().forEach(row -> keys.add(HBaseNames.key(row.key()))));
    List<RowLock> locks = new ArrayList<>(keys.size());
    try {
      for (byte[] key : keys) {
        locks.add(region.region().getRowLock(key, false));
      }
      long bytes = run(wave, before);
      apply(wave, keys, durability);
      return bytes;
    } catch (IOException e) {
      wave.forEach(run -> run.answer(Item.of(Status.UNAVAILABLE, String.valueOf(e.getMessage()))));
      return before;
    } finally {
      locks.forEach(RowLock::release);
      wave.forEach(RegionRun::settle);
    }
  }

  private <A, R> void apply(
      List<RegionRun<A, R>> wave, TreeSet<byte[]> keys, Durability durability) {
    if (!region.lease().isTrusted()) {
      wave.forEach(RegionRun::withhold);
      return;
    }
    List<Mutation> mutations = new ArrayList<>();
    for (RegionRun<A, R> run : wave) {
      run.addTo(mutations, level(durability));
    }
    if (mutations.isEmpty()) {
      return;
    }
    Item failed = Writes.apply(region, mutations, keys);
    if (failed == null) {
      wave.stream().filter(RegionRun::wrote).forEach(RegionRun::applied);
    } else {
      wave.stream().filter(RegionRun::wrote).forEach(run -> run.answer(failed));
    }
  }

  private static org.apache.hadoop.hbase.client.Durability level(Durability durability) {
    return durability == Durability.BUFFERED
        ? org.apache.hadoop.hbase.client.Durability.SYNC_WAL
        : org.apache.hadoop.hbase.client.Durability.FSYNC_WAL;
  }
}
