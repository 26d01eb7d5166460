package io.braid.testkit.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Task;
import io.braid.core.store.StoreException;
import io.braid.core.transaction.FastSession;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.testkit.runtime.Clocks;
import io.braid.testkit.runtime.ManualSeams;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A workload ends, also without its database. */
class WorkloadRunTest {
  /** Of a database that answers nobody. */
  private static final class Silent implements Sessions {
    @Override
    public Transaction begin() {
      throw new IllegalStateException("nothing answers");
    }

    @Override
    public Snapshot snapshot() {
      throw new IllegalStateException("nothing answers");
    }

    @Override
    public FastSession fast() {
      throw new IllegalStateException("nothing answers");
    }

    @Override
    public Failure failure(RuntimeException met) {
      return new NoEffect(false);
    }
  }

  @Test
  void aWorkloadWhoseDatabaseIsGoneEnds() {
    Clocks clocks = new Clocks();
    Seams seams =
        new ManualSeams(clocks, "here") {
          @Override
          public Task start(String name, Runnable body) {
            body.run();
            return super.start(name, body);
          }
        };
    Journal journal = new Journal(seams::nanoTime, Journal.Origin.ZERO, entry -> {});
    WorkloadRun run = new WorkloadRun(Workload.of("append", 3, 1), new Silent(), seams, journal, 1);

    long begin = clocks.nanos;
    assertThatThrownBy(() -> run.run(1, 10))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("No transaction has committed for 5 minutes");
    assertThat(clocks.nanos - begin).isLessThan(Duration.ofMinutes(6).toNanos());
  }
}
