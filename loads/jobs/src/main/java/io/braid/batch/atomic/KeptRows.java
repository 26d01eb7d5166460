package io.braid.batch.atomic;

import io.braid.batch.LoadContext;
import io.braid.batch.Parallel;
import io.braid.core.cells.DecisionPoint.LoadRecord;
import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.Selection;
import io.braid.core.store.TableSchema;
import io.braid.core.store.TableSchema.Kind;
import io.braid.core.store.Tablet;
import io.braid.core.transaction.Snapshot;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * Counts the kept rows of a load that becomes visible as a whole. In a kept row, others wrote every
 * cell that the load has there, after the load began. If newer cells win, these cells stay, and no
 * cell of the load is seen there.
 *
 * <p>The rows of the load itself are not read for the count, only rows that others wrote. The store
 * remembers these rows, or a scan for versions since the beginning of the load finds them. HBase
 * skips files in which all versions are older.
 */
public final class KeptRows {
  private static final int BATCH = 256;
  private static final int SCANS = 4;
  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final LoadContext context;
  private final String table;
  private final long start;
  private final List<String> families;
  private final PatientReads reads;

  /**
   * @param start the timestamp of the load
   */
  public KeptRows(LoadContext context, String table, long start) {
    this.context = context;
    this.table = table;
    this.start = start;
    this.reads = new PatientReads(context, table, PAUSE, LONGEST_PAUSE);
    this.families =
        context.store().table(table).stream()
            .flatMap(schema -> schema.families().stream())
            .filter(family -> family.kind() == Kind.DATA && Families.isUsers(family.name()))
            .map(TableSchema.FamilySchema::name)
            .toList();
  }

  /**
   * Counts the kept rows of a load by files whose veil was lifted. If a cell at the version of the
   * veil is still shown there, others wrote its column between the two versions.
   *
   * @param commit the version that the veil was lifted to
   */
  public long underVeil(long commit) {
    if (commit <= start + 1) {
      return 0;
    }
    settleOthers();
    return count(start + 1, commit - 1, selections(start, commit), row -> isCovered(row, commit));
  }

  private boolean isCovered(RowCells row, long commit) {
    boolean any = false;
    for (Cell cell : row.cells()) {
      // Drawn for this load alone.
      if (cell.version() == commit) {
        return false;
      }
      any |= cell.version() == start;
    }
    return any;
  }

  /**
   * The count of a staged load before other writers were held off.
   *
   * @param to the version up to which rows were counted
   * @param rows how many were counted
   * @param open the rows with writers on their way, which are not counted yet
   */
  record EarlyCount(long to, long rows, Set<Bytes> open) {}

  /**
   * Counts while others write, unless the store remembers their writes. So writers are held off
   * only for the time that it takes to look at later writes.
   *
   * @param load its name
   */
  EarlyCount ahead(String load) {
    if (families.isEmpty()
        || context.store().rowsWritten(table, start + 1, Long.MAX_VALUE).isPresent()) {
      return new EarlyCount(start, 0, Set.of());
    }
    context.store().rememberWrites(table, context.oracle()::next);
    long to = context.oracle().next();
    // From now on, commits that tablets make by themselves are above this timestamp. A transaction
    // with a commit timestamp below had placed all its intents: either an intent or its record is
    // there.
    context.store().advanceClock(to);
    Set<Bytes> open = openRows();
    long rows =
        count(
            start + 1,
            to,
            besideIntents(to),
            row -> !open.contains(row.row().key()) && isCovered(row, load, to));
    return new EarlyCount(to, rows, open);
  }

  private Set<Bytes> openRows() {
    Set<Bytes> open = new HashSet<>();
    reads.walk(
        KeyRange.ALL,
        List.of(Selection.family(Families.INTENT)),
        row -> {
          for (Cell cell : row.cells()) {
            if (!cell.column().qualifier().isEmpty()) {
              Intent intent = Intent.read(row.row(), cell);
              if (intent.undecided() && !(intent.decision() instanceof LoadRecord)) {
                open.add(row.row().key());
              }
            }
          }
        });
    return open;
  }

  /**
   * Counts the kept rows of a staged load when no other writer can write its columns any more.
   *
   * @param load its name
   */
  long staged(String load, EarlyCount ahead) {
    List<Selection> wanted = besideIntents(Long.MAX_VALUE);
    AtomicLong count = new AtomicLong(ahead.rows);
    Batches late = new Batches(wanted, row -> isCovered(row, load, Long.MAX_VALUE), count);
    ahead.open.forEach(key -> late.add(new Row(table, key)));
    late.end();
    count.addAndGet(
        count(
            ahead.to + 1,
            Long.MAX_VALUE,
            wanted,
            row ->
                !ahead.open.contains(row.row().key())
                    && isCovered(row, load, Long.MAX_VALUE)
                    && !isCovered(row, load, ahead.to)));
    return count.get();
  }

  private List<Selection> besideIntents(long to) {
    List<Selection> wanted = new ArrayList<>(selections(start + 1, to));
    wanted.add(Selection.family(Families.INTENT));
    return wanted;
  }

  private boolean isCovered(RowCells row, String load, long to) {
    Set<ColumnName> staged = new HashSet<>();
    Set<ColumnName> newer = new HashSet<>();
    for (Cell cell : row.cells()) {
      ColumnName column = cell.column();
      if (!column.family().equals(Families.INTENT)) {
        if (cell.version() <= to) {
          newer.add(column);
        }
      } else if (!column.qualifier().isEmpty()
          && cell.version() == start
          && Intent.read(row.row(), cell).decision() instanceof LoadRecord record
          && record.load().equals(load)) {
        staged.add(Families.column(column.qualifier()));
      }
    }
    return !staged.isEmpty() && newer.containsAll(staged);
  }

  private List<Selection> selections(long from, long to) {
    return families.stream()
        .map(family -> new Selection(family, null, from, to, Integer.MAX_VALUE))
        .toList();
  }

  /**
   * Settles the cells of other staged loads that have committed. These cells become records, so
   * they count too.
   */
  private void settleOthers() {
    Set<String> seen = new HashSet<>();
    reads.walk(
        KeyRange.ALL,
        List.of(Selection.family(Families.INTENT)),
        row -> {
          for (Cell cell : row.cells()) {
            Bytes qualified = cell.column().qualifier();
            if (!qualified.isEmpty()
                && Intent.read(row.row(), cell).decision() instanceof LoadRecord record
                && seen.add(record.load())) {
              settle(row.row(), Families.column(qualified), record.load());
            }
          }
        });
  }

  private void settle(Row row, ColumnName column, String load) {
    try (Snapshot now = context.transactions().snapshot()) {
      // Decides a load that is closing; its commit may be below ours.
      now.get(row, Column.of(column.family(), column.qualifier(), Codecs.bytes()));
    }
    AtomicLoad.settleCommitted(context, load, table, PATIENCE);
  }

  /** Counts among the rows that others wrote between two versions, both included. */
  private long count(long from, long to, List<Selection> wanted, Predicate<RowCells> kept) {
    if (families.isEmpty()) {
      return 0;
    }
    AtomicLong count = new AtomicLong();
    Optional<Set<Bytes>> written = context.store().rowsWritten(table, from, to);
    if (written.isPresent()) {
      Batches batches = new Batches(wanted, kept, count);
      new TreeSet<>(written.get()).forEach(key -> batches.add(new Row(table, key)));
      batches.end();
      return count.get();
    }
    List<Selection> newer =
        families.stream().map(family -> new Selection(family, null, from, to, 1)).toList();
    List<Parallel.Piece> pieces = new ArrayList<>();
    for (Tablet tablet : context.store().tablets(table)) {
      pieces.add(
          () -> {
            Batches batches = new Batches(wanted, kept, count);
            reads.walk(tablet.range(), newer, row -> batches.add(row.row()));
            batches.end();
          });
    }
    try {
      Parallel.run(context.seams(), "braid-load-count", SCANS, pieces, () -> {});
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    return count.get();
  }

  /** Rows to be looked at, many in one call. */
  private final class Batches {
    private final List<Selection> wanted;
    private final Predicate<RowCells> kept;
    private final AtomicLong count;
    private final List<RowRead> rows = new ArrayList<>(BATCH);

    Batches(List<Selection> wanted, Predicate<RowCells> kept, AtomicLong count) {
      this.wanted = wanted;
      this.kept = kept;
      this.count = count;
    }

    void add(Row row) {
      rows.add(new RowRead(row, wanted, 0));
      if (rows.size() == BATCH) {
        end();
      }
    }

    void end() {
      if (!rows.isEmpty()) {
        List<RowCells> found = reads.ask(() -> context.store().read(rows));
        count.addAndGet(found.stream().filter(kept).count());
        rows.clear();
      }
    }
  }
}
