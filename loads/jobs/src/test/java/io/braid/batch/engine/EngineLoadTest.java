package io.braid.batch.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.batch.Bench;
import io.braid.batch.Bench.Troubled.Fate;
import io.braid.batch.JobException;
import io.braid.batch.rows.Conflicts;
import io.braid.core.data.Bytes;
import io.braid.core.loads.DecideLoad;
import io.braid.core.loads.SettleRow;
import io.braid.core.store.TabletUnavailableException;
import io.braid.testkit.hostile.Call;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Loads of engines whose parts die and begin again. Fault 42. */
class EngineLoadTest {
  private static EngineLoad begin(Bench bench) {
    return EngineLoad.begin(bench.context, "mr", Bench.TABLE, Conflicts.NEWER);
  }

  private static void task(EngineLoad load, String key, String value) {
    try (TaskSink sink = load.sink("task", 1)) {
      sink.put(Bytes.of(key), Map.of(Bench.column("x").name(), Bytes.of(value)));
      sink.finish();
    }
  }

  /** The process that runs the job died after the commit, before it could tell. */
  @Test
  void aJobThatHasCommittedIsTakenToItsEndAgain() {
    try (Bench bench = new Bench()) {
      EngineLoad load = begin(bench);
      task(load, "k1", "v");
      long commit = load.commit();

      EngineLoad again = begin(bench);
      task(again, "k1", "v");
      task(EngineLoad.join(bench.context, "mr", Conflicts.NEWER), "k9", "late");
      assertThat(again.commit()).isEqualTo(commit);
      assertThat(bench.table()).isEqualTo(Map.of("k1", "x=v"));
      assertThat(bench.transactions.pins()).isEmpty();
    }
  }

  @Test
  void aLoadThatWasGivenUpIsNotBegunAgain() {
    try (Bench bench = new Bench()) {
      begin(bench).abort();
      assertThatThrownBy(() -> begin(bench)).isInstanceOf(JobException.class);
    }
  }

  @Test
  void whatFailsBehindTheCommitDoesNotFailTheJob() {
    try (Bench bench = new Bench()) {
      EngineLoad load = begin(bench);
      task(load, "k1", "v");
      bench.store.fate =
          call -> {
            if (call.name().equals(SettleRow.INSTANCE.name())) {
              throw new IllegalStateException("away, on purpose");
            }
            return Fate.PASS;
          };
      long commit = load.commit();
      assertThat(bench.table()).isEqualTo(Map.of("k1", "x=v"));
      assertThat(bench.transactions.pins()).hasSize(1);
      bench.store.fate = call -> Fate.PASS;
      assertThat(begin(bench).commit()).isEqualTo(commit);
      assertThat(bench.transactions.pins()).isEmpty();
    }
  }

  /** An engine whose commit failed gives the load up: that is told apart from what came about. */
  @Test
  void aCommitOfUnknownOutcomeIsNotToldAsGivenUp() {
    for (Fate fate : List.of(Fate.LOST, Fate.ANSWER_LOST)) {
      try (Bench bench = new Bench()) {
        EngineLoad load = begin(bench);
        task(load, "k1", "v");
        AtomicBoolean closed = new AtomicBoolean();
        bench.store.fate =
            call -> {
              if (call instanceof Call.Run<?, ?> run
                  && run.argument() instanceof DecideLoad.Request request) {
                closed.compareAndSet(false, request.step() == DecideLoad.Step.CLOSE);
              }
              return closed.get() ? fate : Fate.PASS;
            };
        assertThatThrownBy(load::commit).isInstanceOf(TabletUnavailableException.class);
        bench.store.fate = call -> Fate.PASS;
        boolean visible = fate == Fate.ANSWER_LOST;
        assertThat(load.abort()).isEqualTo(!visible);
        assertThat(bench.table()).isEqualTo(visible ? Map.of("k1", "x=v") : Map.of());
        assertThat(bench.transactions.pins()).isEmpty();
        assertThat(new EngineWrites(bench.context).all()).isEmpty();
      }
    }
  }

  @Test
  void aPinThatABeginLeftBehindIsNotInTheWay() {
    try (Bench bench = new Bench()) {
      bench.transactions.pin("load/mr", bench.transactions.snapshot().timestamp());
      EngineLoad load = begin(bench);
      task(load, "k1", "v");
      load.commit();
      assertThat(bench.table()).isEqualTo(Map.of("k1", "x=v"));
    }
  }
}
