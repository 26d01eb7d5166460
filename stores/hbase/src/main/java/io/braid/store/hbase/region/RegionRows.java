package io.braid.store.hbase.region;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.store.RowAccess;
import io.braid.core.store.ShownColumns;
import io.braid.core.store.TabletClock;
import io.braid.core.store.UnknownTableException;
import io.braid.core.store.Veils;
import io.braid.store.hbase.wire.HBaseNames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one run of a procedure: reads go to the region, writes wait for the end of the run.
 */
final class RegionRows implements RowAccess, TabletClock {
  private record Place(ColumnName column, long version) {}

  private final OpenRegion region;
  private final Set<Row> named;
  private final boolean readOnly;
  private final Map<Row, Map<Place, @Nullable Bytes>> writes = new LinkedHashMap<>();
  private final List<Long> drawn = new ArrayList<>(1);
  private Veils veils = Veils.NONE;

  /**
   * @param named the rows that the procedure may touch
   */
  RegionRows(OpenRegion region, Set<Row> named, boolean readOnly) {
    this.region = region;
    this.named = named;
    this.readOnly = readOnly;
  }

  /** To be called before the run. */
  void under(Veils now) {
    veils = now;
  }

  @Override
  public @Nullable Cell newest(Row row, ColumnName column, long maxVersion) {
    List<Cell> found = versions(row, column, 0, maxVersion, 1);
    return found.isEmpty() ? null : found.get(0);
  }

  @Override
  public long newestAbove(Row row, ColumnName column, long version) {
    checkNamed(row);
    // The memory does not know columns that were never written, and so does not detect a missing
    // family.
    region.checkFamily(row.table(), column.family());
    if (veils.highestCommit() <= version && !region.memory().mayHaveAbove(row, column, version)) {
      return 0;
    }
    List<Cell> found = versions(row, column, version + 1, Long.MAX_VALUE, 1);
    return found.isEmpty() ? 0 : found.get(0).version();
  }

  @Override
  public boolean mayHave(Row row, String family) {
    checkNamed(row);
    return region.memory().mayHave(row, family);
  }

  @Override
  public @Nullable Cell at(Row row, ColumnName column, long version) {
    long stored = veils.stored(version);
    if (veils.hides(stored)) {
      return null;
    }
    List<Cell> found = stored(row, column, stored, stored, 1);
    return found.isEmpty() ? null : new Cell(column, version, found.get(0).value());
  }

  @Override
  public List<Cell> versions(
      Row row, ColumnName column, long minVersion, long maxVersion, int limit) {
    if (veils.isEmpty()) {
      return stored(row, column, minVersion, maxVersion, limit);
    }
    long lowest = veils.lowest(minVersion, maxVersion);
    List<Cell> all = stored(row, column, lowest, maxVersion, Integer.MAX_VALUE);
    return veils.show(all, minVersion, maxVersion, limit);
  }

  private List<Cell> stored(
      Row row, ColumnName column, long minVersion, long maxVersion, int limit) {
    Get get = get(row, column.family());
    if (!region.memory().mayHave(row, column.family())) {
      return List.of();
    }
    get.addColumn(family(column.family()), HBaseNames.key(column.qualifier()));
    try {
      get.readVersions(limit);
      get.setTimeRange(minVersion, RegionReads.end(maxVersion));
      return RegionReads.cells(region.get(get));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public List<Cell> family(Row row, String family, Bytes qualifierPrefix) {
    Get get = get(row, family);
    if (!region.memory().mayHave(row, family)) {
      return List.of();
    }
    get.addFamily(family(family)).readAllVersions();
    if (!qualifierPrefix.isEmpty()) {
      get.setFilter(new ColumnPrefixFilter(qualifierPrefix.toArray()));
    }
    try {
      List<Cell> stored = RegionReads.cells(region.get(get));
      return veils.isEmpty() ? stored : ShownColumns.of(veils, stored);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Get get(Row row, String family) {
    checkNamed(row);
    region.checkFamily(row.table(), family);
    return new Get(HBaseNames.key(row.key()));
  }

  private void checkNamed(Row row) {
    if (!named.contains(row)) {
      throw new IllegalArgumentException("The procedure did not name row " + row + ".");
    }
  }

  @Override
  public boolean has(Row row, String family) {
    return row.table().equals(region.table()) && region.has(family);
  }

  @Override
  public void put(Row row, ColumnName column, long version, Bytes value) {
    keep(row, column, version, value);
  }

  @Override
  public void delete(Row row, ColumnName column, long version) {
    keep(row, column, veils.stored(version), null);
  }

  private void keep(Row row, ColumnName column, long version, @Nullable Bytes value) {
    checkNamed(row);
    if (readOnly) {
      throw new IllegalStateException("A procedure that only reads wrote row " + row + ".");
    }
    region.checkFamily(row.table(), column.family());
    writes.computeIfAbsent(row, each -> new HashMap<>()).put(new Place(column, version), value);
  }

  @Override
  public TabletClock clock() {
    return this;
  }

  @Override
  public long next(long atLeast) {
    if (readOnly) {
      throw new IllegalStateException("A procedure that only reads draws no version.");
    }
    long version = region.clock().next(region.number(), atLeast);
    if (version != EXHAUSTED) {
      drawn.add(version);
    }
    return version;
  }

  @Override
  public void raise(long version) {
    region.clock().raise(version);
  }

  @Override
  public long epoch(String table) {
    if (!table.equals(region.table())) {
      throw new UnknownTableException("Table " + table + " is not in this region.");
    }
    return region.epoch().get();
  }

  @Override
  public long birth(String table) {
    epoch(table);
    return region.epoch().birth();
  }

  @Override
  public boolean isClosing(String table) {
    return region.veils().isHeld();
  }

  @Override
  public long watermark() {
    return region.watermark().get();
  }

  /** Adds the mutations of the run, which is about to write them. */
  void addTo(Collection<Mutation> mutations, Durability durability) {
    writes.forEach(
        (row, places) -> {
          byte[] key = HBaseNames.key(row.key());
          Put put = new Put(key);
          Delete delete = new Delete(key);
          places.forEach(
              (place, value) -> {
                byte[] family = family(place.column.family());
                byte[] qualifier = HBaseNames.key(place.column.qualifier());
                if (value == null) {
                  delete.addColumn(family, qualifier, place.version);
                } else {
                  region.memory().writing(row, place.column, place.version);
                  put.addColumn(family, qualifier, place.version, value.toArray());
                }
              });
          if (!delete.isEmpty()) {
            mutations.add(delete.setDurability(durability));
          }
          if (!put.isEmpty()) {
            mutations.add(put.setDurability(durability));
          }
        });
  }

  /** Notes that the writes of the run have been applied. */
  void applied() {
    writes.forEach(
        (row, places) ->
            places.forEach(
                (place, value) -> {
                  if (value == null) {
                    region.memory().removed(row, place.column, place.version);
                  }
                }));
  }

  /** Readers that wait for what was drawn here may go on. */
  void settle() {
    drawn.forEach(region.clock()::settle);
  }

  private static byte[] family(String family) {
    return family.getBytes(java.nio.charset.StandardCharsets.UTF_8);
  }
}
