package io.braid.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.store.Durability;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowScanner;
import io.braid.core.store.RowWrite;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.TabletUnavailableException;
import io.braid.testkit.CellText;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Rows change at one instant, procedures run at one instant, whatever else runs. */
interface RaceLaws extends StoreUnderTest {
  int ROUNDS = 400;
  Selection VERSIONS = Selection.column(DATA);
  List<ColumnName> COLUMNS = List.of(SPARSE, LARGE, OTHER, DATA);

  @Test
  default void rowsAreSeenWholeWhileWritesReplaceThem() throws Exception {
    int[] written = {0};
    new Race()
        .rounds(
            ROUNDS,
            round -> {
              write(turn(A, round), turn(B, round));
              written[0] = round;
            })
        .meanwhile(() -> assertWhole(store().read(RowRead.of(A, everything()))))
        .meanwhile(() -> store().read(reads()).forEach(RaceLaws::assertWhole))
        .meanwhile(() -> scanned(scanOf(KeyRange.ALL)).forEach(RaceLaws::assertWhole))
        .run();

    assertThat(read(A)).hasSize(4).allMatch(cell -> cell.contains("@" + written[0] + "="));
  }

  private List<RowRead> reads() {
    return List.of(RowRead.of(B, everything()), RowRead.of(A, everything()));
  }

  /** Puts this round's version into all families of a row and removes the one before. */
  private static RowWrite turn(Row row, int round) {
    List<Cell> puts =
        List.of(DATA, OTHER, LARGE, SPARSE).stream()
            .map(column -> StoreUnderTest.cell(column, round, "round"))
            .toList();
    List<RowWrite.Removal> removals =
        puts.stream().map(cell -> new RowWrite.Removal(cell.column(), round - 1L)).toList();
    return new RowWrite(row, puts, removals);
  }

  /** One version, the same in all families, or nothing at all. */
  private static void assertWhole(RowCells row) {
    if (row.isEmpty()) {
      return;
    }
    Set<Long> versions = row.cells().stream().map(Cell::version).collect(Collectors.toSet());
    assertThat(versions).as(CellText.lines(row).toString()).hasSize(1);
    assertThat(row.cells()).as(CellText.lines(row).toString()).hasSize(4);
  }

  private List<RowCells> scanned(ScanRequest request) {
    List<RowCells> rows = new ArrayList<>();
    try (RowScanner scanner = store().scan(request)) {
      for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
        rows.add(row);
      }
    }
    return rows;
  }

  @Test
  default void rowsAreSeenWholeWhileProceduresReplaceThem() throws Exception {
    new Race()
        .rounds(
            ROUNDS,
            round -> {
              Program program = Program.over(A);
              for (var column : COLUMNS) {
                program = program.delete(A, column, round - 1).put(A, column, round, "round");
              }
              run(program);
            })
        .meanwhile(() -> assertWhole(store().read(RowRead.of(A, everything()))))
        .meanwhile(() -> scanned(scanOf(KeyRange.ALL)).forEach(RaceLaws::assertWhole))
        .run();
  }

  /** Fault 63. */
  @Test
  default void procedureThatExcludesOthersReadsAtOneInstant() throws Exception {
    Program look = Program.over(A);
    for (var column : COLUMNS) {
      look = look.newest(A, column, Long.MAX_VALUE);
    }
    Program all = look;
    new Race()
        .rounds(
            ROUNDS,
            round -> {
              Program program = Program.over(A);
              for (var column : COLUMNS) {
                program = program.put(A, column, round, Integer.toString(round));
              }
              run(program);
            })
        .meanwhile(
            () -> {
              List<String> seen =
                  runLooking(all).stream()
                      .map(cell -> cell.substring(cell.indexOf('=') + 1))
                      .toList();
              assertThat(Set.copyOf(seen)).as(seen.toString()).hasSize(1);
            })
        .run();
  }

  @Test
  default void procedureSeesWhatItChangesAsNobodyElseChangesIt() throws Exception {
    Race race = new Race();
    AtomicLong ids = new AtomicLong();
    int writers = 4;
    for (int writer = 0; writer < writers; writer++) {
      race.rounds(ROUNDS / 4, round -> run(Program.over(A).add(A, DATA, 1, ids.incrementAndGet())));
    }
    race.run();

    int adds = writers * (ROUNDS / 4);
    assertThat(read(A, Selection.column(DATA).newest(1)))
        .containsExactly("d:q@" + adds + "=" + adds);
    assertThat(read(A, Selection.column(DATA))).hasSize(adds);
  }

  @Test
  default void batchesOfProceduresOnTheSameRowsLoseNothing() throws Exception {
    Race race = new Race();
    AtomicLong ids = new AtomicLong();
    for (int writer = 0; writer < 3; writer++) {
      boolean up = writer % 2 == 0;
      race.rounds(
          20,
          round -> {
            List<Program> batch = new ArrayList<>();
            for (int row = 0; row < 10; row++) {
              Row to = Row.of(TABLE, "row" + (up ? row : 9 - row));
              batch.add(Program.over(to).add(to, DATA, 1, ids.incrementAndGet()));
            }
            store().execute(Program.WRITING, batch, Durability.BUFFERED);
          });
    }
    race.run();

    for (int row = 0; row < 10; row++) {
      assertThat(read(Row.of(TABLE, "row" + row), Selection.column(DATA).newest(1)))
          .containsExactly("d:q@60=60");
    }
  }

  @Test
  default void procedureOverSeveralRowsIsSeenWholeByProcedures() throws Exception {
    Row[] accounts = {A, B, Row.of(TABLE, "c")};
    for (Row account : accounts) {
      run(Program.over(account).add(account, DATA, 100, 0));
    }
    AtomicLong ids = new AtomicLong();
    Race race = new Race();
    for (int writer = 0; writer < 3; writer++) {
      Row from = accounts[writer];
      Row to = accounts[(writer + 1) % 3];
      race.rounds(
          ROUNDS / 4,
          round -> {
            long id = ids.incrementAndGet();
            run(Program.over(from, to).add(from, DATA, -1, id).add(to, DATA, 1, id));
          });
    }
    race.meanwhile(() -> assertThat(sum(accounts)).isEqualTo(300)).run();

    assertThat(sum(accounts)).isEqualTo(300);
    assertThat(Stream.of(accounts).mapToInt(account -> read(account, VERSIONS).size()).sum())
        .isEqualTo(3 + 2 * ids.get());
  }

  private long sum(Row... accounts) {
    Program program = Program.over(accounts);
    for (Row account : accounts) {
      program = program.newest(account, DATA, Long.MAX_VALUE);
    }
    return run(program).stream()
        .mapToLong(cell -> CellText.cell("x " + cell).value().toUtf8().transform(Long::parseLong))
        .sum();
  }

  /** A read-only procedure that reads intents first never misses both the intent and its record. */
  @Test
  default void readOnlyProcedureSeesLaterFamiliesNoEarlier() throws Exception {
    put("a d:q@0=record", "a s:q@1=intent");
    new Race()
        .rounds(
            ROUNDS,
            round -> {
              run(Program.over(A).delete(A, SPARSE, round).put(A, DATA, round, "record"));
              run(Program.over(A).put(A, SPARSE, round + 1, "intent"));
            })
        .meanwhile(
            () -> {
              List<String> seen =
                  runReading(
                      Program.over(A).family(A, "s", Bytes.EMPTY).newest(A, DATA, Long.MAX_VALUE));
              long intent = version(seen.get(0));
              long record = version(seen.get(1));
              if (intent >= 0) {
                assertThat(record).as(seen.toString()).isGreaterThanOrEqualTo(intent - 1);
              } else {
                assertThat(record).as(seen.toString()).isNotNegative();
              }
            })
        .run();
  }

  private static long version(String cell) {
    return cell.equals(Step.NONE) ? -1 : CellText.cell("x " + cell).version();
  }

  @Test
  default void scansReturnEveryRowWhileTabletsSplit() throws Exception {
    List<String> lines = IntStream.range(1000, 1300).mapToObj(i -> "row" + i + " d:q@1=").toList();
    put(lines.toArray(String[]::new));
    new Race()
        .rounds(
            60,
            round -> {
              int i = round % 60;
              String key = "row" + (1000 + (i * 37) % 300) + (i % 2 == 0 ? "" : "x");
              store().splitTablet(TABLE, Bytes.of(key));
            })
        .meanwhile(() -> assertThat(resumed(KeyRange.ALL)).isEqualTo(lines))
        .meanwhile(
            () -> assertThat(resumed(StoreUnderTest.range("row1050", "row1060"))).hasSize(10))
        .run();

    assertThat(dump()).isEqualTo(lines);
    assertThat(store().tablets(TABLE)).hasSize(1 + Math.min(60, cuts()));
  }

  /** A scan that is opened again after the last row when the store asks for it. */
  private List<String> resumed(KeyRange range) {
    List<String> lines = new ArrayList<>();
    Bytes from = range.start();
    for (int opened = 0; opened < 1000; opened++) {
      ScanRequest request =
          new ScanRequest(
              TABLE, new KeyRange(from, range.end()), List.of(Selection.family("d")), 0, 16);
      try (RowScanner scanner = store().scan(request)) {
        for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
          lines.addAll(CellText.lines(row));
          from = row.row().key().successor();
        }
        return lines;
      } catch (TabletUnavailableException e) {
        // Open it again.
      }
    }
    throw new AssertionError("The scan never came to its end.");
  }

  @Test
  default void writesLandWhileTabletsSplit() throws Exception {
    AtomicLong ids = new AtomicLong();
    Race race =
        new Race()
            .meanwhile(
                () -> {
                  long id = ids.incrementAndGet();
                  store().splitTablet(TABLE, Bytes.of("row" + id % 40));
                });
    for (int writer = 0; writer < 2; writer++) {
      int own = writer;
      race.once(
          () -> {
            for (int i = 0; i < ROUNDS / 2; i++) {
              Row row = Row.of(TABLE, "row" + i % 40);
              run(Program.over(row).add(row, DATA, 1, 2L * i + own));
            }
          });
    }
    race.run();

    for (int row = 0; row < 40; row++) {
      assertThat(read(Row.of(TABLE, "row" + row), Selection.column(DATA).newest(1)))
          .containsExactly("d:q@10=10");
    }
  }

  /** No procedure that was passed an older epoch runs once the raise has returned. */
  @Test
  default void noProcedureOfAnOlderEpochRunsAfterTheRaise() throws Exception {
    for (long epoch = 0; epoch < 10; epoch++) {
      long old = epoch;
      AtomicLong versions = new AtomicLong();
      List<List<String>> atRaise = new ArrayList<>();
      Race race = new Race();
      for (int writer = 0; writer < 3; writer++) {
        race.once(
            () -> {
              boolean current = true;
              while (current && versions.get() < 100_000) {
                current = putUnder(old, versions.incrementAndGet());
                Race.leaveTurns(versions.get());
              }
              assertThat(current).as("refused in the end").isFalse();
            });
      }
      race.once(
              () -> {
                for (int i = 0; i < 20; i++) {
                  putUnder(old, versions.incrementAndGet());
                }
                store().raiseEpoch(TABLE, old + 1);
                atRaise.add(read(A));
              })
          .run();

      assertThat(read(A)).isEqualTo(atRaise.get(0)).isNotEmpty();
    }
  }

  /** Puts a cell if the epoch is this one; whether it was. */
  private boolean putUnder(long epoch, long number) {
    long version = epoch * 1_000_000 + number;
    return run(Program.over(A).expectEpoch(A, epoch).put(A, DATA, version, "")).size() == 2;
  }
}
