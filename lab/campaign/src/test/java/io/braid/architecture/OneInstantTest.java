package io.braid.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.cells.CellWrite;
import io.braid.core.cells.DecisionPoint.PrimaryCell;
import io.braid.core.cells.Families;
import io.braid.core.cells.FoundColumn;
import io.braid.core.cells.Intent;
import io.braid.core.cells.RowMutation;
import io.braid.core.cells.WriteStage;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.Codec;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.store.ProcedureLibrary;
import io.braid.core.store.RowAccess;
import io.braid.core.store.TabletClock;
import io.braid.core.time.Timestamp;
import io.braid.omid.rows.FastRead;
import io.braid.omid.rows.FastWrite;
import io.braid.omid.rows.PostCommit;
import io.braid.omid.rows.ReadRow;
import io.braid.omid.rows.WriteTentative;
import io.braid.percolator.rows.CommitRow;
import io.braid.percolator.rows.Prewrite;
import io.braid.percolator.rows.SnapshotRead;
import io.braid.testkit.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Fault 63: whatever returns several cells shows them as of one instant. A procedure that excludes
 * others from its rows does so by a law of the store, which every store is tested for. One that
 * declares to do without is run here, with a step of some writer before each of its reads. The list
 * of those is taken from the libraries: a new one has to be added.
 */
class OneInstantTest {
  private static final Row ROW = Row.of("t", "r");
  private static final ColumnName A = new ColumnName("f", Bytes.of("a"));
  private static final ColumnName B = new ColumnName("g", Bytes.of("b"));
  private static final long T = Timestamp.ofWallMillis(1_780_000_000_000L);

  /** A read of two columns of one row, as a test of whether it tears. */
  private record Reading<Q, R>(
      Procedure<Q, R> procedure, Q request, Function<R, List<@Nullable Bytes>> values) {

    List<@Nullable Bytes> run(RowAccess rows) {
      return values.apply(procedure.run(rows, request));
    }
  }

  /** Those that declare, for some argument, that they need not exclude others. */
  private static Map<String, List<Reading<?, ?>>> readings(long snapshot) {
    return Map.of(
        SnapshotRead.class.getName(),
        List.of(
            new Reading<>(
                SnapshotRead.INSTANCE,
                new SnapshotRead.Request(ROW, List.of(A, B), snapshot, List.of()),
                answer ->
                    answer.blocking().isEmpty()
                        ? answer.found().stream().map(FoundColumn::value).toList()
                        : List.of())),
        ReadRow.class.getName(),
        List.of(
            new Reading<>(
                ReadRow.INSTANCE,
                new ReadRow.Request(ROW, List.of(A, B), snapshot, List.of()),
                answer ->
                    answer.tentative().isEmpty()
                        ? answer.found().stream().map(FoundColumn::value).toList()
                        : List.of())),
        FastRead.class.getName(),
        List.of(
            new Reading<>(
                FastRead.INSTANCE,
                new FastRead.Request(ROW, List.of(A, B), "", 0),
                answer -> answer.found().stream().map(FastRead.ColumnValue::value).toList())));
  }

  @Test
  void everyProcedureThatDoesNotExcludeOthersIsInTheList() {
    Set<String> without =
        ServiceLoader.load(ProcedureLibrary.class).stream()
            .flatMap(library -> library.get().procedures().stream())
            .filter(each -> !each.name().startsWith("contract"))
            .map(Procedure::getClass)
            .filter(OneInstantTest::declares)
            .map(Class::getName)
            .collect(Collectors.toSet());

    assertThat(without).isEqualTo(readings(T).keySet());
  }

  private static boolean declares(Class<?> type) {
    for (var method : type.getDeclaredMethods()) {
      if (method.getName().equals("excludesOthers")) {
        return true;
      }
    }
    return false;
  }

  /** Writers of every kind do their steps at every place between the reads of every procedure. */
  @Test
  void noneOfThemTearsWhateverIsWrittenBetweenItsReads() {
    for (String name : readings(T).keySet()) {
      for (Writer writer : Writer.values()) {
        for (int silent = 0; silent < 8; silent++) {
          Between rows = new Between(writer, silent);
          for (Reading<?, ?> reading : readings(rows.snapshot).get(name)) {
            if (!excludes(reading)) {
              assertThat(Set.copyOf(reading.run(rows)))
                  .as("%s, %s after %s reads", name, writer, silent)
                  .hasSizeLessThanOrEqualTo(1);
            }
          }
        }
      }
    }
  }

  private static <Q> boolean excludes(Reading<Q, ?> reading) {
    return reading.procedure.excludesOthers(reading.request);
  }

  /** Who writes both columns of the row while they are read. */
  private enum Writer {
    /** Whole writes, one after the other. */
    FAST,
    /** A transaction of Percolator that had committed before the snapshot was taken. */
    PERCOLATOR,
    /** One of Omid's. */
    OMID;

    void beforeTheSnapshot(Between rows) {
      rows.fastWrite();
      long start = rows.next();
      switch (this) {
        case FAST -> {}
        case PERCOLATOR ->
            rows.execute(
                Prewrite.INSTANCE,
                new Prewrite.Request(
                    mutation("tx"), start, new PrimaryCell(ROW, A), "", 0, WriteStage.ONLY));
        case OMID ->
            rows.execute(
                WriteTentative.INSTANCE, new WriteTentative.Request(mutation("tx"), start, "", 0));
      }
      rows.begun = start;
      rows.committed = rows.next();
    }

    void step(Between rows) {
      switch (this) {
        case FAST -> {}
        case PERCOLATOR ->
            rows.execute(
                CommitRow.INSTANCE,
                new CommitRow.Request(ROW, 0, rows.begun, rows.committed, false));
        case OMID ->
            rows.execute(
                PostCommit.INSTANCE,
                new PostCommit.Request(
                    ROW, List.of(A, B), List.of(), 0, rows.begun, rows.committed));
      }
      rows.fastWrite();
    }
  }

  private static RowMutation mutation(String value) {
    Bytes bytes = Bytes.of(value);
    return new RowMutation(
        ROW,
        0,
        List.of(
            new CellWrite(A, Intent.Kind.PUT, bytes, false),
            new CellWrite(B, Intent.Kind.PUT_LARGE, bytes, false)),
        List.of());
  }

  /** A row whose writer does a step before every read but the first ones. */
  private static final class Between implements RowAccess {
    private final CellStore store = new MemoryStore();
    private final Writer writer;
    private final long snapshot;
    private int silent;
    private long now = T;
    private long begun;
    private long committed;
    private int written;

    Between(Writer writer, int silent) {
      this.writer = writer;
      this.silent = silent;
      store.ensureTable(Families.transactional("t", List.of("f", "g")));
      store.advanceClock(next());
      writer.beforeTheSnapshot(this);
      this.snapshot = next();
    }

    long next() {
      now += Timestamp.STEP;
      return now;
    }

    void fastWrite() {
      written++;
      execute(
          FastWrite.INSTANCE,
          new FastWrite.Request(
              mutation("fast " + written), 2L * written + 1, FastWrite.ANY, next()));
    }

    <Q, R> R execute(Procedure<Q, R> procedure, Q request) {
      return ((Outcome.Done<R>) store.execute(procedure, request, Durability.BUFFERED)).result();
    }

    private <R> R look(Function<RowAccess, R> read) {
      if (silent-- <= 0) {
        writer.step(this);
      }
      List<R> seen = new ArrayList<>();
      execute(
          new Look(),
          rows -> {
            seen.add(read.apply(rows));
          });
      return seen.get(0);
    }

    @Override
    public @Nullable Cell newest(Row row, ColumnName column, long maxVersion) {
      return look(rows -> List.copyOf(rows.versions(row, column, 0, maxVersion, 1))).stream()
          .findFirst()
          .orElse(null);
    }

    @Override
    public @Nullable Cell at(Row row, ColumnName column, long version) {
      return look(rows -> rows.versions(row, column, version, version, 1)).stream()
          .findFirst()
          .orElse(null);
    }

    @Override
    public List<Cell> versions(
        Row row, ColumnName column, long minVersion, long maxVersion, int limit) {
      return look(rows -> rows.versions(row, column, minVersion, maxVersion, limit));
    }

    @Override
    public List<Cell> family(Row row, String family, Bytes qualifierPrefix) {
      return look(rows -> rows.family(row, family, qualifierPrefix));
    }

    @Override
    public boolean has(Row row, String family) {
      return look(rows -> rows.has(row, family));
    }

    @Override
    public void put(Row row, ColumnName column, long version, Bytes value) {
      throw new AssertionError("It only reads.");
    }

    @Override
    public void delete(Row row, ColumnName column, long version) {
      throw new AssertionError("It only reads.");
    }

    @Override
    public TabletClock clock() {
      throw new AssertionError("It only reads.");
    }

    @Override
    public long epoch(String table) {
      return 0;
    }

    @Override
    public long birth(String table) {
      return 0;
    }

    @Override
    public long watermark() {
      return 0;
    }
  }

  /** One read, at one instant. */
  private interface Read {
    void of(RowAccess rows);
  }

  private static final class Look implements Procedure<Read, Boolean> {
    @Override
    public String name() {
      return "look";
    }

    @Override
    public List<Row> rows(Read read) {
      return List.of(ROW);
    }

    @Override
    public Boolean run(RowAccess rows, Read read) {
      read.of(rows);
      return true;
    }

    @Override
    public Codec<Read> argumentCodec() {
      throw new AssertionError("It stays in the process.");
    }

    @Override
    public Codec<Boolean> resultCodec() {
      throw new AssertionError("It stays in the process.");
    }
  }
}
