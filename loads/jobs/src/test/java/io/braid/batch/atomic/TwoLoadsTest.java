package io.braid.batch.atomic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.batch.Bench;
import io.braid.batch.JobException;
import io.braid.batch.input.RawRecord;
import io.braid.batch.rows.Conflicts;
import io.braid.batch.sink.SinkRecord;
import io.braid.core.cells.CellWrite;
import io.braid.core.cells.Intent;
import io.braid.core.data.Bytes;
import io.braid.core.loads.DecideLoad;
import io.braid.core.loads.LoadDecisions;
import io.braid.core.loads.LoadState;
import io.braid.core.transaction.Snapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two loads that are staged at the same time over the same rows. Faults 43 and 45. */
class TwoLoadsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final List<Long> kept = new ArrayList<>();

  private AtomicLoad staged(Bench bench, String name, Conflicts conflicts) {
    long start = bench.oracle.next();
    AtomicLoad load =
        new AtomicLoad(bench.context, name, Bench.TABLE, start, conflicts, PATIENCE, kept::add);
    load.begin();
    List<SinkRecord> records = new ArrayList<>();
    for (String key : List.of("k01", "k02", "k03")) {
      CellWrite cell =
          new CellWrite(Bench.column("x").name(), Intent.Kind.PUT, Bytes.of(name), false);
      records.add(new SinkRecord(new RawRecord(0, Bytes.EMPTY), Bench.row(key), List.of(cell)));
    }
    new StageWriter(bench.context, name, start, conflicts).write(records);
    return load;
  }

  /** Whoever settles which of them first, and however far the other has come. */
  @ParameterizedTest
  @CsvSource({"NEWER, true", "NEWER, false", "LOAD, true", "LOAD, false"})
  void whatTheEarlierOneCommittedStaysOrIsWrittenOverInAllRows(
      Conflicts conflicts, boolean firstBegan) {
    try (Bench bench = new Bench()) {
      AtomicLoad one = staged(bench, "one", conflicts);
      AtomicLoad two = staged(bench, "two", conflicts);
      AtomicLoad first = firstBegan ? one : two;
      AtomicLoad second = firstBegan ? two : one;
      first.commit();
      final Snapshot between = bench.transactions.snapshot();
      second.commit();
      second.settle();
      first.settle();
      String earlier = firstBegan ? "x=one" : "x=two";
      String later = firstBegan ? "x=two" : "x=one";
      String shown = conflicts == Conflicts.NEWER ? earlier : later;
      assertThat(bench.table().values()).containsExactly(shown, shown, shown);
      assertThat(between.get(Bench.row("k02"), Bench.column("x"))).contains(earlier.substring(2));
      between.close();
      if (conflicts == Conflicts.NEWER) {
        assertThat(kept).as("the record counts").containsExactly(0L, 3L);
      }
    }
  }

  @Test
  void oneThatIsToFailSeesWhatAnotherHasCommittedThoughItIsNotSettled() {
    try (Bench bench = new Bench()) {
      AtomicLoad one = staged(bench, "one", Conflicts.NEWER);
      AtomicLoad two = staged(bench, "two", Conflicts.FAIL);
      one.commit();
      assertThatThrownBy(two::commit)
          .isInstanceOf(JobException.class)
          .hasMessageContaining("Others wrote what the load would write");
      two.abort();
      two.settle();
      assertThat(bench.table().values()).containsExactly("x=one", "x=one", "x=one");
    }
  }

  @Test
  void oneGivesWayWhenBothAreCommittedAtOnce() throws Exception {
    for (int i = 0; i < 30; i++) {
      kept.clear();
      try (Bench bench = new Bench()) {
        AtomicLoad one = staged(bench, "one", Conflicts.NEWER);
        AtomicLoad two = staged(bench, "two", Conflicts.NEWER);
        ExecutorService both = Executors.newFixedThreadPool(2);
        List<Future<Long>> commits = new ArrayList<>();
        for (AtomicLoad each : List.of(one, two)) {
          commits.add(
              both.submit(
                  () -> {
                    long commit = each.commit();
                    each.settle();
                    return commit;
                  }));
        }
        boolean oneFirst = commits.get(0).get() < commits.get(1).get();
        both.shutdown();
        String shown = oneFirst ? "x=one" : "x=two";
        assertThat(bench.table().values()).containsExactly(shown, shown, shown);
        assertThat(kept).as("the record counts").endsWith(3L).contains(0L);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void nobodyWaitsForEverForOneThatIsBeingCommitted(boolean firstBegan) {
    try (Bench bench = new Bench()) {
      staged(bench, firstBegan ? "stuck" : "free", Conflicts.NEWER);
      AtomicLoad load = staged(bench, firstBegan ? "free" : "stuck", Conflicts.NEWER);
      if (!firstBegan) {
        load = again(bench, "free");
      }
      String drainer = bench.seams.liveness().token() + "/1";
      LoadDecisions.decide(
          bench.store, DecideLoad.Request.draining("stuck", DecideLoad.Step.DRAIN, drainer));
      assertThatThrownBy(load::commit)
          .isInstanceOf(JobException.class)
          .hasMessageContaining("Load stuck of the same table is being committed");
      assertThat(phase(bench, "free")).isEqualTo(LoadState.Phase.LOADING);
      LoadDecisions.decide(
          bench.store, DecideLoad.Request.draining("stuck", DecideLoad.Step.CLOSE, drainer));
      load.commit();
      assertThat(phase(bench, "stuck")).as("closing").isEqualTo(LoadState.Phase.COMMITTED);
      load.settle();
      assertThat(bench.table().values()).containsExactly("x=stuck", "x=stuck", "x=stuck");
    }
  }

  private AtomicLoad again(Bench bench, String name) {
    LoadState state = Objects.requireNonNull(LoadDecisions.look(bench.store, name));
    return new AtomicLoad(
        bench.context, name, Bench.TABLE, state.start(), Conflicts.NEWER, PATIENCE, kept::add);
  }

  private static LoadState.Phase phase(Bench bench, String name) {
    LoadState state = Objects.requireNonNull(LoadDecisions.look(bench.store, name));
    return state.phase();
  }
}
