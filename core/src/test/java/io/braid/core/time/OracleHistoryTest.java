package io.braid.core.time;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.runtime.SystemSeams;
import io.braid.core.runtime.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fault 2: whatever happens to clock, process and bound, timestamps rise and stay below it. */
class OracleHistoryTest {
  private static final long NOW = Instant.parse("2026-05-04T10:00:00Z").toEpochMilli();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
  void timestampsRiseOverClockStepsRestartsAndUnknownRaises(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    FakeSeams seams = new FakeSeams(NOW, seed);
    FakeBound bound = new FakeBound();
    LocalOracle oracle = new LocalOracle(bound, seams);
    long before = 0;
    for (int i = 0; i < 5_000; i++) {
      switch (random.nextInt(12)) {
        case 0 -> oracle = new LocalOracle(bound, seams);
        case 1 -> seams.wall.addAndGet(random.nextLong(-7_200_000, 3_600_000));
        case 2 -> seams.wall.addAndGet(random.nextLong(-2_000, 2_000));
        case 3, 4 -> bound.fates.add(fate(random));
        case 5 -> seams.pass(Duration.ofMillis(random.nextInt(3_000)));
        case 6 ->
            assertThat(oracle.lastIssued()).as("seed %s", seed).isGreaterThanOrEqualTo(before);
        default -> {
          int count = 1 + random.nextInt(random.nextBoolean() ? 3 : LocalOracle.MAX_COUNT);
          try {
            long first = oracle.next(count);
            assertThat(first).as("seed %s, step %s", seed, i).isGreaterThan(before);
            before = first + (count - 1) * Timestamp.STEP;
            assertThat(before).as("seed %s, step %s", seed, i).isLessThan(bound.value);
          } catch (TimestampUnavailableException e) {
            if (e.isLasting()) {
              throw e;
            }
            bound.fates.clear();
          }
        }
      }
    }
  }

  private static FakeBound.Fate fate(SplittableRandom random) {
    FakeBound.Fate[] fates = FakeBound.Fate.values();
    return fates[random.nextInt(fates.length)];
  }

  @Test
  void manyThreadsGetDistinctTimestampsThatRiseForEach() {
    TimestampOracle oracle = new RisingOracle(new LocalOracle(new FakeBound(), new SystemSeams()));
    assertDistinctAndRising(oracle);
  }

  @Test
  void manyThreadsThroughABatchGetDistinctTimestampsThatRiseForEach() {
    TimestampOracle oracle = new LocalOracle(new FakeBound(), new SystemSeams());
    assertDistinctAndRising(new RisingOracle(new BatchingOracle(oracle, new SystemSeams())));
  }

  private static void assertDistinctAndRising(TimestampOracle oracle) {
    List<Long> all = Collections.synchronizedList(new ArrayList<>());
    List<Task> tasks = new ArrayList<>();
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    for (int i = 0; i < 8; i++) {
      tasks.add(new SystemSeams().start("client-" + i, () -> failures.addAll(draw(oracle, all))));
    }
    tasks.forEach(task -> assertThat(task.join(Duration.ofSeconds(60))).isTrue());

    assertThat(failures).isEmpty();
    assertThat(all).hasSize(8 * 5_000).doesNotHaveDuplicates();
  }

  private static List<Throwable> draw(TimestampOracle oracle, List<Long> all) {
    try {
      long before = 0;
      List<Long> mine = new ArrayList<>();
      for (int i = 0; i < 5_000; i++) {
        long next = oracle.next(1 + i % 3);
        assertThat(next).isGreaterThan(before);
        before = next;
        mine.add(next);
      }
      all.addAll(mine);
      return List.of();
    } catch (Throwable e) {
      return List.of(e);
    }
  }
}
