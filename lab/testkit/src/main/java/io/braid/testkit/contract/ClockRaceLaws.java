package io.braid.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.store.RowRead;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.TabletClock;
import io.braid.core.time.Timestamp;
import io.braid.testkit.CellText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * A snapshot sees the same cells for ever. While local commits are drawn and applied, each reader
 * asks at a fresh timestamp of the oracle. Once everything has ended, its answers still hold.
 */
interface ClockRaceLaws extends StoreUnderTest {
  int COMMITS = 200;

  /** The cells of one row at or below a snapshot. */
  record Seen(Row row, long snapshot, List<String> cells) {}

  interface Reader {
    List<String> read(Row row, long snapshot);
  }

  /** Fault 22: a local commit drawn at or below a snapshot is never missed. */
  @Test
  default void readMissesNoLocalCommitBelowItsSnapshot() throws Exception {
    raceAgainst((row, snapshot) -> read(row, snapshot));
  }

  private List<String> read(Row row, long snapshot) {
    Selection upTo = Selection.column(DATA).upTo(snapshot);
    return store().read(new RowRead(row, List.of(upTo), snapshot)).cells().stream()
        .map(CellText::text)
        .toList();
  }

  /** Fault 22: a scan at 100 waits for a commit at 51 that was drawn but is not applied. */
  @Test
  default void scanMissesNoLocalCommitBelowItsSnapshot() throws Exception {
    raceAgainst(
        (row, snapshot) -> {
          KeyRange range = KeyRange.single(row.key());
          Selection upTo = Selection.column(DATA).upTo(snapshot);
          int prefix = row.key().length() + 1;
          return CellText.scan(store(), ScanRequest.of(TABLE, range, upTo).at(snapshot)).stream()
              .map(line -> line.substring(prefix))
              .toList();
        });
  }

  @Test
  default void procedureMissesNoLocalCommitBelowItsSnapshot() throws Exception {
    raceAgainst((row, snapshot) -> cells(run(versions(row, snapshot))));
  }

  @Test
  default void readOnlyProcedureMissesNoLocalCommitBelowItsSnapshot() throws Exception {
    raceAgainst((row, snapshot) -> cells(runReading(versions(row, snapshot))));
  }

  private static Program versions(Row row, long snapshot) {
    return Program.over(row).at(snapshot).versions(row, DATA, 0, snapshot, Integer.MAX_VALUE);
  }

  private static List<String> cells(List<String> answers) {
    return answers.get(0).equals(Step.NONE) ? List.of() : List.of(answers.get(0).split(" "));
  }

  private void raceAgainst(Reader reader) throws Exception {
    AtomicLong oracle = new AtomicLong(T);
    store().advanceClock(oracle.addAndGet(Timestamp.STEP));
    store().splitTablet(TABLE, Bytes.of("m"));
    List<Seen> seen = Collections.synchronizedList(new ArrayList<>());
    Race race = new Race();
    for (int writer = 0; writer < 3; writer++) {
      race.rounds(COMMITS, round -> commit(round, oracle));
    }
    for (Row row : List.of(A, Z)) {
      race.meanwhile(
          () -> {
            long snapshot = oracle.addAndGet(Timestamp.STEP);
            seen.add(new Seen(row, snapshot, reader.read(row, snapshot)));
          });
    }
    race.run();

    assertThat(seen).isNotEmpty();
    for (Row row : List.of(A, Z)) {
      List<String> all = read(row, Long.MAX_VALUE);
      List<Long> versions = all.stream().map(ClockRaceLaws::version).toList();
      for (Seen each : seen) {
        if (each.row().equals(row)) {
          long newer = versions.stream().filter(version -> version > each.snapshot()).count();
          assertThat(each.cells()).isEqualTo(all.subList((int) newer, all.size()));
        }
      }
    }
  }

  private static long version(String cell) {
    return CellText.cell("x " + cell).version();
  }

  private void commit(int round, AtomicLong oracle) {
    Row row = round % 2 == 0 ? A : Z;
    long start = round % 3 == 0 ? oracle.addAndGet(Timestamp.STEP) : 0;
    while (draw(row, start) == TabletClock.EXHAUSTED) {
      store().advanceClock(oracle.addAndGet(Timestamp.STEP));
    }
  }
}
