package io.braid.store.hbase.region;

import io.braid.core.cells.CommitRecord;
import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.store.TableSchema.Kind;
import io.braid.core.store.Veils;
import io.braid.store.hbase.wire.FamilyKind;
import io.braid.store.hbase.wire.HBaseNames;
import io.braid.store.hbase.wire.WatermarkCell;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;

/**
 * Leaves garbage out when HBase rewrites a region's files.
 *
 * <p>The horizon is one that a collection has <em>settled</em>: the low watermark is at or above
 * it, and no intent of a transaction begun below it is left anywhere. Hence nothing is written at
 * or below the horizon any more, and no transaction asks for decisions made there. Undecided
 * intents and pinned versions begin above the horizon.
 */
final class CompactionGarbage {
  /** Whether compactions collect: in hbase-site.xml, or of a table. */
  static final String SWITCH = "braid.compactions.collect";

  private final OpenRegion region;
  private final Connection connection;

  CompactionGarbage(OpenRegion region, Connection connection) {
    this.region = region;
    this.connection = connection;
  }

  /** Returns a scanner that leaves out the garbage of a compaction. */
  InternalScanner of(Store store, InternalScanner scanner, ScanType type, CompactionRequest request)
      throws IOException {
    if (!region.veils().find()) {
      throw new IOException("The veils of the table are not known.");
    }
    List<Veils.Veil> veils = region.veils().now().all();
    boolean transactional = region.has(Families.INTENT);
    long horizon = transactional ? horizon(veils) : 0;
    InternalScanner cells = withoutDiscarded(scanner, veils);
    return horizon == 0 ? cells : collecting(store, cells, type, request, horizon);
  }

  private InternalScanner collecting(
      Store store,
      InternalScanner scanner,
      ScanType type,
      CompactionRequest request,
      long horizon) {
    String family = store.getColumnFamilyName();
    boolean allFiles = type == ScanType.COMPACT_DROP_DELETES;
    Kind kind = FamilyKind.of(store.getColumnFamilyDescriptor());
    if (kind == Kind.DATA) {
      boolean complete = allFiles && isAll(store, request);
      return new CollectingScanner(scanner, horizon, complete, new ColumnReaders(region, horizon));
    }
    if (kind == Kind.LARGE) {
      String of = Families.dataFamily(family);
      return new MatchingScanner(scanner, cell -> isLost(cell, of, horizon));
    }
    // An older cell of the same place, in a file that is not rewritten, would come back.
    return family.equals(Families.INTENT) && allFiles
        ? new MatchingScanner(scanner, cell -> isMark(cell, horizon))
        : scanner;
  }

  /** Leaves out the cells under discarded veils, which will never be shown. */
  private static InternalScanner withoutDiscarded(InternalScanner scanner, List<Veils.Veil> veils) {
    Set<Long> discarded =
        veils.stream()
            .filter(veil -> veil.commit() == 0)
            .map(Veils.Veil::version)
            .collect(Collectors.toSet());
    return discarded.isEmpty()
        ? scanner
        : new MatchingScanner(scanner, cell -> discarded.contains(cell.getTimestamp()));
  }

  /**
   * Returns the horizon. Cells under a veil are stored at another version than they are shown at,
   * and this may still matter for some veils. The horizon stays below the versions of such veils.
   */
  private long horizon(List<Veils.Veil> veils) throws IOException {
    String namespace = region.region().getRegionInfo().getTable().getNamespaceAsString();
    long settled = NamespaceCells.read(connection, namespace, WatermarkCell.SETTLED);
    long horizon = settled;
    for (Veils.Veil veil : veils) {
      boolean plain = veil.isLifted() && !veil.wins() && veil.commit() <= settled;
      if (!plain && veil.commit() != 0) {
        horizon = Math.min(horizon, veil.version() - 1);
      }
    }
    return horizon;
  }

  /**
   * Returns whether the compaction sees all cells of the store. The order of the checks matters:
   * cells that are flushed meanwhile are in a file that is not among the compacted ones.
   */
  private static boolean isAll(Store store, CompactionRequest request) {
    return store.getMemStoreSize().getCellsCount() == 0
        && store.getFlushableSize().getDataSize() == 0
        && store.getStorefilesCount() == request.getFiles().size();
  }

  private static boolean isMark(Cell cell, long horizon) {
    return cell.getTimestamp() < horizon
        && Intent.decode(Bytes.wrap(CellUtil.cloneValue(cell))).kind() == Intent.Kind.ROLLED_BACK;
  }

  /** Whether neither a record nor an intent leads to a large value any more. */
  private boolean isLost(Cell cell, String family, long horizon) throws IOException {
    long start = cell.getTimestamp();
    if (start >= horizon) {
      return false;
    }
    byte[] qualifier = CellUtil.cloneQualifier(cell);
    ColumnName column = new ColumnName(family, HBaseNames.key(qualifier.clone()));
    ColumnName intent = Families.intent(column);
    Get get =
        new Get(CellUtil.cloneRow(cell))
            .readAllVersions()
            .addColumn(family.getBytes(StandardCharsets.UTF_8), qualifier)
            .addColumn(
                intent.family().getBytes(StandardCharsets.UTF_8),
                HBaseNames.key(intent.qualifier()));
    for (io.braid.core.data.Cell found : RegionReads.cells(region.get(get))) {
      boolean leads =
          found.column().equals(intent)
              ? found.version() == start
              : CommitRecord.decode(found.value(), found.version()).start() == start;
      if (leads) {
        return false;
      }
    }
    return true;
  }
}
