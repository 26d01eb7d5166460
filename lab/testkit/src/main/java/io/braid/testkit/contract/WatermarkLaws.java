package io.braid.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.KeyRange;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Fault 26: a procedure that runs after the low watermark was raised sees it. */
interface WatermarkLaws extends StoreUnderTest {
  @Test
  default void watermarkIsRaisedAndNeverLowered() {
    assertThat(store().watermark()).isZero();
    assertThat(run(Program.over(A).watermark())).containsExactly("0");

    store().raiseWatermark(5);
    store().raiseWatermark(3);
    store().raiseWatermark(5);

    assertThat(store().watermark()).isEqualTo(5);
    assertThat(run(Program.over(A).watermark())).containsExactly("5");
    assertThat(runReading(Program.over(A).watermark())).containsExactly("5");
  }

  @Test
  default void watermarkSurvives() {
    store().raiseWatermark(7);
    reopen();
    assertThat(store().watermark()).isEqualTo(7);
    assertThat(run(Program.over(A).watermark())).containsExactly("7");
  }

  /** No procedure that was shown an older watermark runs once the raise has returned. */
  @Test
  default void noProcedureThatWasShownAnOlderWatermarkRunsAfterTheRaise() throws Exception {
    for (long watermark = 0; watermark < times(10); watermark++) {
      long old = watermark;
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
                store().raiseWatermark(old + 1);
                atRaise.add(read(A));
              })
          .run();

      assertThat(read(A)).isEqualTo(atRaise.get(0)).isNotEmpty();
    }
  }

  /** Puts a cell if the watermark is this one; whether it was. */
  private boolean putUnder(long watermark, long number) {
    long version = watermark * 1_000_000 + number;
    return run(Program.over(A).expectWatermark(watermark).put(A, DATA, version, "")).size() == 2;
  }

  /** A hint changes nothing that can be seen. */
  @Test
  default void reclaimingChangesNothing() {
    put("a d:q@1=x", "b d:q@1=y l:q@1=z");
    remove(A, DATA, 1);
    List<String> before = dump();
    store().reclaim(TABLE, KeyRange.ALL);
    store().reclaim(TABLE, KeyRange.single(B.key()));
    store().reclaim("none", KeyRange.ALL);
    assertThat(dump()).isEqualTo(before);
  }
}
