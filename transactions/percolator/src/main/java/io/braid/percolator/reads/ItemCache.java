package io.braid.percolator.reads;

import io.braid.core.cells.FoundColumn;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.percolator.context.PercolatorCounters;
import io.braid.percolator.context.PercolatorOptions;
import io.braid.percolator.rows.ForeignIntent;
import io.braid.percolator.rows.SnapshotRead;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The cache of a snapshot: each cell is read once, along with cells that will probably be read next
 * (Percolator, section 2.5). A snapshot never changes, so cached cells stay right: nothing has to
 * be invalidated, which is what makes most caches hard.
 *
 * <p>Three things can go wrong all the same, and the code has an answer to each:
 *
 * <ul>
 *   <li><em>The cache costs more than it saves.</em> A scan-like transaction reads each cell once.
 *       After 128 reads, a cache that answered less than one in 16 is dropped for this snapshot.
 *   <li><em>The first read pays for a map that no second read uses.</em> Many transactions read one
 *       cell. The first item is therefore kept in fields; the map is made for the second.
 *   <li><em>Reading ahead fetches what is never used.</em> Columns are read ahead only if {@link
 *       ReadPatterns} has seen them follow before, and large values are not kept.
 * </ul>
 *
 * <p>An item may know only part of the truth: a read that asks for versions above some version
 * finds nothing below it. Such an item answers the same question again, but not a wider one.
 *
 * <p>Holds a bounded number of rows, the latest. A snapshot that reads many different cells, and
 * none of them twice, stops caching.
 */
public final class ItemCache {
  private static final int TRIAL = 128;
  private static final int LARGEST_VALUE = 64 << 10;

  private final SnapshotReader reader;
  private final ReadPatterns patterns;
  private final PercolatorCounters counters;
  private final PercolatorOptions.Savings savings;
  private final long snapshot;
  // Null until the first read.
  private @Nullable Map<Row, Map<ColumnName, Item>> rows;
  // The first item, while it is the only one.
  private @Nullable Row firstRow;
  private @Nullable ColumnName firstColumn;
  private @Nullable Item firstItem;
  private int reads;
  private int hits;
  private boolean off;

  /** The content of a column, and whether it was asked for yet. */
  private static final class Item {
    private final @Nullable FoundColumn found;
    // If nothing was found: there is nothing above this version, and the read did not look below
    // it.
    private final long above;
    private boolean asked;

    Item(@Nullable FoundColumn found, long above, boolean asked) {
      this.found = found;
      this.above = found == null ? above : 0;
      this.asked = asked;
    }

    boolean answers(long wantedAbove) {
      return above <= wantedAbove;
    }
  }

  ItemCache(
      SnapshotReader reader,
      ReadPatterns patterns,
      PercolatorCounters counters,
      PercolatorOptions.Savings savings,
      long snapshot) {
    this.reader = reader;
    this.patterns = patterns;
    this.counters = counters;
    this.savings = savings;
    this.snapshot = snapshot;
    this.off = savings.cachedRows() == 0;
  }

  /** Returns the content of the column, or null if it was never written. */
  @Nullable FoundColumn read(Row row, ColumnName column) {
    return read(row, column, 0);
  }

  /** As {@link #read(Row, ColumnName)}; a value at or below the version may be found or not. */
  @Nullable FoundColumn read(Row row, ColumnName column, long above) {
    counters.reads.increment();
    if (off) {
      return one(reader.read(request(row, List.of(column), above)));
    }
    if (rows == null && firstItem == null) {
      return readFirst(row, column, above);
    }
    Map<Row, Map<ColumnName, Item>> all = spread();
    Map<ColumnName, Item> known = all.get(row);
    Item item = known == null ? null : known.get(column);
    reads++;
    if (item != null && item.answers(above)) {
      hits++;
      item.asked = true;
      counters.cachedReads.increment();
      return item.found;
    }
    if (reads >= TRIAL && hits * 16 < reads) {
      end();
      off = true;
      return one(reader.read(request(row, List.of(column), above)));
    }
    if (known == null) {
      known = new LinkedHashMap<>(4);
      all.put(row, known);
    }
    return readAhead(row, column, above, known);
  }

  /** Reads without a map: many transactions read only once. */
  private @Nullable FoundColumn readFirst(Row row, ColumnName column, long above) {
    List<ColumnName> columns = withExpected(row, column, Map.of());
    if (columns.size() > 1) {
      Map<ColumnName, Item> known = new LinkedHashMap<>(4);
      spread().put(row, known);
      return readAhead(row, column, above, known);
    }
    FoundColumn found = one(reader.read(request(row, columns, above)));
    firstRow = row;
    firstItem = new Item(found, above, true);
    firstColumn = column;
    return found;
  }

  /** Returns the map, with the first item in it. */
  private Map<Row, Map<ColumnName, Item>> spread() {
    Map<Row, Map<ColumnName, Item>> all = rows;
    if (all == null) {
      all = new LatestRows(savings.cachedRows());
      rows = all;
      if (firstRow != null && firstColumn != null && firstItem != null) {
        Map<ColumnName, Item> known = new LinkedHashMap<>(4);
        known.put(firstColumn, firstItem);
        all.put(firstRow, known);
      }
    }
    return all;
  }

  private @Nullable FoundColumn readAhead(
      Row row, ColumnName column, long above, Map<ColumnName, Item> known) {
    SnapshotRead.Request request = request(row, withExpected(row, column, known), above);
    SnapshotRead.Answer answer =
        request.columns().size() == 1 ? null : reader.readAhead(request, column);
    if (answer == null) {
      request = request(row, List.of(column), above);
      answer = reader.read(request);
    }
    keep(known, request, answer, true);
    return in(answer, column);
  }

  /**
   * Keeps the result of reading a row. The first column is not blocked.
   *
   * @param asked whether the first column is wanted now
   */
  private static void keep(
      Map<ColumnName, Item> known,
      SnapshotRead.Request request,
      SnapshotRead.Answer answer,
      boolean asked) {
    boolean first = true;
    for (ColumnName each : request.columns()) {
      FoundColumn found = in(answer, each);
      boolean small =
          found == null || found.value() == null || found.value().length() <= LARGEST_VALUE;
      if (small && (first || !isBlocked(answer, each))) {
        known.put(each, new Item(found, first ? request.firstAbove() : 0, first && asked));
      }
      first = false;
    }
  }

  /** A read whose answer is not wanted yet, and the place where its answer is kept. */
  public static final class Ahead {
    private final SnapshotRead.Request request;
    private final Map<ColumnName, Item> known;

    private Ahead(SnapshotRead.Request request, Map<ColumnName, Item> known) {
      this.request = request;
      this.known = known;
    }

    public SnapshotRead.Request request() {
      return request;
    }

    /**
     * Keeps the answer; returns false if the answer does not show the content of the first column.
     */
    public boolean keep(SnapshotRead.Answer answer) {
      if (answer.watermark() != 0 || isBlocked(answer, request.columns().get(0))) {
        return false;
      }
      ItemCache.keep(known, request, answer, false);
      return true;
    }
  }

  /** Returns a read to send before it is asked for, or null if such a read is of no use. */
  @Nullable Ahead ahead(Row row, ColumnName column, long above) {
    if (off) {
      return null;
    }
    Map<ColumnName, Item> known = spread().computeIfAbsent(row, each -> new LinkedHashMap<>(4));
    Item item = known.get(column);
    return item != null && item.answers(above)
        ? null
        : new Ahead(request(row, withExpected(row, column, known), above), known);
  }

  private List<ColumnName> withExpected(Row row, ColumnName column, Map<ColumnName, Item> known) {
    List<ColumnName> expected =
        savings.prefetch() ? patterns.expectedAfter(row.table(), column) : List.of();
    if (expected.isEmpty()) {
      return List.of(column);
    }
    List<ColumnName> columns = new ArrayList<>(expected.size() + 1);
    columns.add(column);
    for (ColumnName each : expected) {
      if (!each.equals(column) && !known.containsKey(each)) {
        columns.add(each);
      }
    }
    return columns;
  }

  private static @Nullable FoundColumn in(SnapshotRead.Answer answer, ColumnName column) {
    for (FoundColumn found : answer.found()) {
      if (found.column().equals(column)) {
        return found;
      }
    }
    return null;
  }

  private static boolean isBlocked(SnapshotRead.Answer answer, ColumnName column) {
    for (ForeignIntent intent : answer.blocking()) {
      if (intent.column().equals(column)) {
        return true;
      }
    }
    return false;
  }

  private static @Nullable FoundColumn one(SnapshotRead.Answer answer) {
    return answer.found().isEmpty() ? null : answer.found().get(0);
  }

  private SnapshotRead.Request request(Row row, List<ColumnName> columns, long above) {
    return new SnapshotRead.Request(row, columns, snapshot, List.of()).firstAbove(above);
  }

  /** Ends the cache and learns from its reads: there are no reads afterwards. */
  void end() {
    Map<Row, Map<ColumnName, Item>> all = rows;
    rows = null;
    if (!savings.prefetch()) {
      return;
    }
    if (all == null) {
      if (firstRow != null && firstColumn != null) {
        patterns.learn(firstRow.table(), List.of(firstColumn));
      }
      return;
    }
    all.forEach(
        (row, items) -> {
          List<ColumnName> asked = new ArrayList<>(items.size());
          items.forEach(
              (column, item) -> {
                if (item.asked) {
                  asked.add(column);
                }
              });
          patterns.learn(row.table(), asked);
        });
  }

  /** The rows that came last. */
  private static final class LatestRows extends LinkedHashMap<Row, Map<ColumnName, Item>> {
    private static final long serialVersionUID = 1;

    private final int most;

    LatestRows(int most) {
      this.most = most;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<Row, Map<ColumnName, Item>> eldest) {
      return size() > most;
    }
  }
}
