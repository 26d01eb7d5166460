package io.braid.store.hbase.region;

import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.store.TableSchema.Kind;
import io.braid.store.hbase.wire.FamilyKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.jspecify.annotations.Nullable;

/**
 * The knowledge of an open region about its cells that needs no look: that a row has no intents,
 * and that a column was not written since a version. It learns the state before the opening from
 * the region's files, and notes all writes since. Only procedures, and files that are taken over,
 * write cells.
 */
final class RegionMemory {
  /**
   * The state that the regions of a server share.
   *
   * @param mostRead sparse families with more cells are not looked through when a region opens
   */
  record SharedState(RecentVersions versions, AtomicLong places, long mostRead) {
    SharedState(long mostRead) {
      this(new RecentVersions(), new AtomicLong(), mostRead);
    }
  }

  private final Region region;
  private final long number;
  private final RecentVersions versions;
  private final long mostRead;
  private final Map<String, SparsePlaces> sparse = new HashMap<>();
  private volatile long floor = Long.MAX_VALUE;
  private boolean told;
  private int loading;

  /**
   * @param number keeps what is known of this region apart from most others'
   */
  RegionMemory(Region region, long number, SharedState shared) {
    this.region = region;
    this.number = number;
    this.versions = shared.versions;
    this.mostRead = shared.mostRead;
    for (ColumnFamilyDescriptor family : region.getTableDescriptor().getColumnFamilies()) {
      if (FamilyKind.of(family) == Kind.SPARSE) {
        sparse.put(family.getNameAsString(), new SparsePlaces(shared.places, SparsePlaces.MOST));
      }
    }
  }

  /** Learns the state of a region that has opened and has no callers yet. */
  void learn() throws IOException {
    for (Map.Entry<String, SparsePlaces> each : sparse.entrySet()) {
      byte[] family = each.getKey().getBytes(java.nio.charset.StandardCharsets.UTF_8);
      if (cells(region.getStore(family)) <= mostRead) {
        read(each.getKey(), family, each.getValue());
        each.getValue().know();
      } else {
        each.getValue().forget();
      }
    }
    told =
        region.getStores().stream().allMatch(store -> store.getMemStoreSize().getCellsCount() == 0);
    if (told) {
      floor = highestInFiles();
    }
  }

  private static long cells(Store store) {
    long cells = store.getMemStoreSize().getCellsCount();
    for (StoreFile file : store.getStorefiles()) {
      cells += ((HStoreFile) file).getReader().getEntries();
    }
    return cells;
  }

  private void read(String name, byte[] family, SparsePlaces into) throws IOException {
    try (RegionScanner scanner =
        region.getScanner(new Scan().addFamily(family).readAllVersions())) {
      List<Cell> cells = new ArrayList<>();
      for (boolean more = true; more; cells.clear()) {
        more = scanner.next(cells);
        for (Cell cell : cells) {
          io.braid.core.data.Cell read = RegionReads.cell(cell);
          into.add(
              io.braid.store.hbase.wire.HBaseNames.key(CellUtil.cloneRow(cell)),
              read.column(),
              read.version());
        }
      }
    }
  }

  private long highestInFiles() {
    long highest = 0;
    for (Store store : region.getStores()) {
      for (StoreFile file : store.getStorefiles()) {
        highest = Math.max(highest, file.getMaximumTimestamp().orElse(Long.MAX_VALUE));
      }
    }
    return highest;
  }

  /** False when the row surely has no cell of the family. */
  boolean mayHave(Row row, String family) {
    SparsePlaces places = sparse.get(family);
    return places == null || places.mayHave(row.key());
  }

  /** Where cells of the family may be; null when all rows may have some. */
  @Nullable SparsePlaces places(String family) {
    return sparse.get(family);
  }

  /** False when the column surely has no version above this one. */
  boolean mayHaveAbove(Row row, ColumnName column, long version) {
    return floor > version || versions.mayHaveAbove(number, row, column, version);
  }

  /** A cell is about to be written. */
  void writing(Row row, ColumnName column, long version) {
    SparsePlaces places = sparse.get(column.family());
    if (places != null) {
      places.add(row.key(), column, version);
    }
    versions.raise(number, row, column, version);
  }

  /** A cell was removed. */
  void removed(Row row, ColumnName column, long version) {
    SparsePlaces places = sparse.get(column.family());
    if (places != null) {
      places.remove(row.key(), column, version);
    }
  }

  /** Notes that files are about to be taken over: the cells in them were not noted. */
  synchronized void loading() {
    loading++;
    floor = Long.MAX_VALUE;
    sparse.values().forEach(SparsePlaces::forget);
  }

  /** They were taken over, or were not. */
  synchronized void loaded() {
    if (--loading == 0 && told) {
      floor = highestInFiles();
    }
  }

  /** The region closes, or cannot learn what it has: nothing is noted from now on. */
  void forget() {
    sparse.values().forEach(SparsePlaces::forget);
  }
}
