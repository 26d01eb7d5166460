package io.braid.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Fault 62: work that waits is done, whatever others do meanwhile. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TurnsTest {
  private static final int ASKING = 8;
  private static final int TIMES = 20_000;

  /** All turns may be free while those who asked other nodes take theirs back. */
  @Test
  void nobodyIsRefusedWhileOthersAsk() throws Exception {
    List<HttpRefusal> refused = new CopyOnWriteArrayList<>();
    CountDownLatch asked = new CountDownLatch(ASKING);
    try (Turns turns = new Turns("test", new Turns.Bounds(1, ASKING, 1 << 20))) {
      for (int i = 0; i < ASKING; i++) {
        turns.execute(
            i,
            () -> {
              askOften();
              asked.countDown();
            },
            refused::add);
      }
      while (asked.getCount() > 0) {
        turns.execute("other", () -> {}, refused::add);
        Thread.yield();
      }
      assertThat(refused).isEmpty();
    }
  }

  private static void askOften() {
    try {
      for (int i = 0; i < TIMES; i++) {
        RemoteCallKind.NODES.during(() -> 1);
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
