package io.braid.store.hbase.region;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.cells.CommitRecord;
import io.braid.core.cells.CommitRecord.Kind;
import io.braid.core.data.Bytes;
import io.braid.store.hbase.wire.HBaseNames;
import io.braid.testkit.Seeds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilderFactory;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.CellComparatorImpl;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.Shipper;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Faults 26 and 27: whatever files are compacted together, no snapshot loses anything. */
class CollectingScannerTest {
  private static final long HORIZON = 50;

  private record Record(String column, long version, Kind kind) {
    Cell cell() {
      return CellBuilderFactory.create(CellBuilderType.SHALLOW_COPY)
          .setRow(new byte[] {'r', 0})
          .setFamily(new byte[] {'f'})
          .setQualifier((column + "\0").getBytes(java.nio.charset.StandardCharsets.UTF_8))
          .setTimestamp(version)
          .setType(Cell.Type.Put)
          .setValue(new CommitRecord(kind, version - 1, Bytes.of("v")).encode(version).toArray())
          .build();
    }
  }

  /** Rows that observers await, and the columns that the change log awaits. */
  private record Waiting(boolean awaited, Set<String> logged, AtomicInteger looks)
      implements CollectingScanner.Readers {
    Waiting(boolean awaited, String... logged) {
      this(awaited, Set.of(logged), new AtomicInteger());
    }

    @Override
    public boolean await(byte[] row) {
      return awaited;
    }

    @Override
    public boolean log(Cell record) {
      looks.incrementAndGet();
      return logged.contains(HBaseNames.key(CellUtil.cloneQualifier(record)).toUtf8());
    }
  }

  /** Gives one cell at a time, in memory that is used for others once it was shipped. */
  private static final class Blocks implements InternalScanner, Shipper {
    private final List<Cell> cells;
    private final List<Cell> given = new ArrayList<>();
    private int shipped;

    Blocks(List<Cell> cells) {
      this.cells = new ArrayList<>(cells);
    }

    @Override
    public boolean next(List<Cell> result, ScannerContext context) {
      given.add(cells.remove(0));
      result.add(given.get(given.size() - 1));
      return !cells.isEmpty();
    }

    @Override
    public void shipped() {
      shipped++;
      for (Cell cell : given) {
        Arrays.fill(cell.getRowArray(), (byte) 'X');
        Arrays.fill(cell.getQualifierArray(), (byte) 'X');
        Arrays.fill(cell.getValueArray(), (byte) 'X');
      }
      given.clear();
    }

    @Override
    public void close() {}
  }

  /** Gives cells in portions that end anywhere, as compactions read. */
  private static final class Portions implements InternalScanner {
    private final List<Cell> cells;
    private final RandomGenerator random;
    private int at;

    Portions(List<Cell> cells, RandomGenerator random) {
      this.cells = cells;
      this.random = random;
    }

    @Override
    public boolean next(List<Cell> result, ScannerContext context) {
      int end = Math.min(cells.size(), at + random.nextInt(4));
      result.addAll(cells.subList(at, end));
      at = end;
      return at < cells.size();
    }

    @Override
    public void close() {}
  }

  private static List<Cell> compacted(
      List<Record> records, boolean complete, Waiting waiting, RandomGenerator random)
      throws IOException {
    List<Cell> cells =
        records.stream()
            .map(Record::cell)
            .sorted(Comparator.comparing(each -> each, CellComparatorImpl.COMPARATOR))
            .toList();
    List<Cell> kept = new ArrayList<>();
    try (CollectingScanner scanner =
        new CollectingScanner(new Portions(cells, random), HORIZON, complete, waiting)) {
      boolean more = true;
      while (more) {
        more = scanner.next(kept, ScannerContext.newBuilder().build());
      }
      assertThat(scanner.left()).isEqualTo(cells.size() - kept.size());
    }
    assertThat(kept).isSortedAccordingTo(CellComparatorImpl.COMPARATOR);
    return kept;
  }

  private static List<Record> records(RandomGenerator random) {
    TreeMap<String, Record> all = new TreeMap<>();
    for (int i = 0; i < 25; i++) {
      Record record =
          new Record(
              random.nextBoolean() ? "a" : "b",
              1 + random.nextInt(80),
              Kind.values()[random.nextInt(Kind.values().length)]);
      all.put(record.column + record.version, record);
    }
    return new ArrayList<>(all.values());
  }

  /** The version that a snapshot sees; 0 for nothing, or a DELETE. */
  private static long seen(List<Cell> cells, String column, long snapshot) {
    @Nullable Cell newest = null;
    for (Cell cell : cells) {
      boolean matches = cell.getQualifierArray()[cell.getQualifierOffset()] == column.charAt(0);
      if (matches
          && cell.getTimestamp() <= snapshot
          && kind(cell) != Kind.LOCK
          && (newest == null || cell.getTimestamp() > newest.getTimestamp())) {
        newest = cell;
      }
    }
    return newest == null || kind(newest) == Kind.DELETE ? 0 : newest.getTimestamp();
  }

  private static Kind kind(Cell cell) {
    return CommitRecord.decode(
            Bytes.wrap(org.apache.hadoop.hbase.CellUtil.cloneValue(cell)), cell.getTimestamp())
        .kind();
  }

  @Test
  void everySnapshotAboveTheHorizonSeesTheSame() {
    Seeds.check(300, CollectingScannerTest::compactSome);
  }

  private static void compactSome(RandomGenerator random) throws IOException {
    List<Record> records = records(random);
    List<Record> together = new ArrayList<>();
    List<Cell> apart = new ArrayList<>();
    boolean complete = random.nextInt(3) == 0;
    for (Record record : records) {
      if (complete || random.nextBoolean()) {
        together.add(record);
      } else {
        apart.add(record.cell());
      }
    }

    List<Cell> after = new ArrayList<>(apart);
    after.addAll(compacted(together, complete, new Waiting(random.nextBoolean()), random));

    List<Cell> before = records.stream().map(Record::cell).toList();
    for (long snapshot = HORIZON; snapshot <= 81; snapshot++) {
      for (String column : List.of("a", "b")) {
        assertThat(seen(after, column, snapshot))
            .as("column %s at %d", column, snapshot)
            .isEqualTo(seen(before, column, snapshot));
      }
    }
  }

  @Test
  void whatIsHiddenGoesAndADeleteThatHidesNothing() throws IOException {
    RandomGenerator random = new SplittableRandom(1);
    List<Record> records =
        List.of(
            new Record("a", 60, Kind.PUT),
            new Record("a", 40, Kind.PUT),
            new Record("a", 30, Kind.PUT_LARGE),
            new Record("a", 20, Kind.LOCK),
            new Record("b", 45, Kind.LOCK),
            new Record("b", 44, Kind.DELETE),
            new Record("b", 10, Kind.PUT));

    assertThat(compacted(records, true, new Waiting(false), random))
        .extracting(Cell::getTimestamp)
        .containsExactly(60L, 40L);
    assertThat(compacted(records, true, new Waiting(true), random))
        .as("a DELETE that an observer has yet to see")
        .extracting(Cell::getTimestamp)
        .containsExactly(60L, 40L, 44L);
    assertThat(compacted(records, false, new Waiting(false), random))
        .as("there may be something older in another file")
        .extracting(Cell::getTimestamp)
        .containsExactly(60L, 40L, 44L);
  }

  @Test
  void ofAColumnThatTheChangeLogAwaitsAllStays() throws IOException {
    List<Record> records =
        List.of(
            new Record("a", 45, Kind.DELETE),
            new Record("a", 40, Kind.PUT),
            new Record("a", 30, Kind.PUT),
            new Record("b", 45, Kind.PUT),
            new Record("b", 40, Kind.PUT),
            new Record("c", 60, Kind.PUT),
            new Record("c", 45, Kind.PUT));
    Waiting waiting = new Waiting(false, "a");

    assertThat(compacted(records, true, waiting, new SplittableRandom(1)))
        .extracting(Cell::getTimestamp)
        .containsExactly(45L, 40L, 30L, 45L, 60L, 45L);
    assertThat(waiting.looks).as("once for a column that would lose something").hasValue(2);
  }

  @Test
  void whatIsRememberedOutlivesTheBlocksItWasReadFrom() throws IOException {
    Cell tombstone =
        CellBuilderFactory.create(CellBuilderType.SHALLOW_COPY)
            .setRow(new byte[] {'r', 0})
            .setFamily(new byte[] {'f'})
            .setQualifier(new byte[] {'b', 0})
            .setTimestamp(30)
            .setType(Cell.Type.Delete)
            .build();
    Blocks blocks =
        new Blocks(
            List.of(
                new Record("a", 40, Kind.PUT).cell(),
                new Record("a", 30, Kind.PUT).cell(),
                new Record("b", 40, Kind.DELETE).cell(),
                tombstone));
    List<String> kept = new ArrayList<>();
    try (CollectingScanner scanner =
        new CollectingScanner(blocks, HORIZON, true, new Waiting(false))) {
      for (boolean more = true; more; scanner.shipped()) {
        List<Cell> cells = new ArrayList<>();
        more = scanner.next(cells, ScannerContext.newBuilder().build());
        cells.forEach(
            cell ->
                kept.add(
                    HBaseNames.key(CellUtil.cloneRow(cell)).toUtf8()
                        + HBaseNames.key(CellUtil.cloneQualifier(cell)).toUtf8()
                        + cell.getTimestamp()));
      }
    }

    assertThat(kept).containsExactly("ra40", "rb40", "rb30");
    assertThat(blocks.shipped).isEqualTo(4);
  }

  @Test
  void blocksAreGivenBackThroughEveryScanner() throws IOException {
    Blocks blocks = new Blocks(List.of());
    try (MatchingScanner scanner = new MatchingScanner(blocks, cell -> false)) {
      scanner.shipped();
    }

    assertThat(blocks.shipped).isEqualTo(1);
  }
}
