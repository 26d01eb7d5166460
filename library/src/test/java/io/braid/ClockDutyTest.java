package io.braid;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.runtime.SystemSeams;
import io.braid.core.time.TimestampOracle;
import io.braid.testkit.MemoryStore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 50, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ClockDutyTest {
  /** Versions on idle tablets would lag for as long as the process lives. */
  @Test
  void whatNobodyForesawEndsNoClock() throws InterruptedException {
    AtomicInteger asked = new AtomicInteger();
    TimestampOracle oracle =
        new TimestampOracle() {
          @Override
          public long next(int count) {
            switch (asked.incrementAndGet()) {
              case 1 -> throw new IllegalStateException("on purpose");
              case 2 -> throw new OutOfMemoryError("on purpose");
              default -> {}
            }
            return (long) asked.get() << 30;
          }

          @Override
          public long lastIssued() {
            return 0;
          }
        };
    try (MemoryStore store = new MemoryStore();
        ClockDuty duty = ClockDuty.start(store, oracle, new SystemSeams())) {
      while (asked.get() < 4) {
        TimeUnit.MILLISECONDS.sleep(1);
      }
      assertThat(duty).isNotNull();
    }
  }
}
