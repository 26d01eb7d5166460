package io.braid.observers;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.testkit.MemoryStore;
import io.braid.testkit.runtime.Clocks;
import io.braid.testkit.runtime.ManualSeams;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When a backfill begins. */
class BackfillerTest {
  /** Whoever asked for it may have had another time, or the machine a day later. */
  @ParameterizedTest
  @ValueSource(longs = {-86_400_000, 0, 86_400_000})
  void itWaitsByItsOwnClock(long ahead) {
    ManualSeams seams = new ManualSeams(new Clocks(), "p");
    ObserverOptions options = ObserverOptions.defaults();
    Backfiller backfiller =
        new Backfiller(new MemoryStore(), seams, options, () -> false, row -> {}, () -> 1);
    Backfill requested = Backfill.requested(7, seams.wallMillis() + ahead);
    Duration wait = backfiller.untilAllKnow("late", requested);
    assertThat(wait).isEqualTo(options.registryInterval().multipliedBy(2));
    seams.sleep(wait);
    assertThat(backfiller.untilAllKnow("late", requested)).isZero();
    assertThat(backfiller.untilAllKnow("late", Backfill.requested(8, 0))).isEqualTo(wait);
  }
}
