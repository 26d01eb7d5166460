package io.braid.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Fault 62: a client with many requests keeps nobody else from being served. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FairQueueTest {
  @Test
  void ownersTakeTurns() {
    FairQueue<String> queue = new FairQueue<>();
    for (String each : List.of("a1", "a2", "a3", "b1", "c1", "c2")) {
      queue.add(each.charAt(0), each);
    }
    assertThat(queue.remove('c', "c1")).isTrue();
    assertThat(queue.remove('c', "c1")).isFalse();
    List<String> taken = new ArrayList<>();
    for (String next = queue.poll(); next != null; next = queue.poll()) {
      taken.add(next);
    }
    assertThat(taken).containsExactly("a1", "b1", "c2", "a2", "a3");
    assertThat(queue.isEmpty()).isTrue();
  }

  @Test
  void whoHasMostMakesRoom() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(3);
    List<String> refused = new ArrayList<>();
    try (Turns turns = new Turns("test", new Turns.Bounds(1, 1, 3))) {
      CountDownLatch begun = new CountDownLatch(1);
      turns.execute(
          "a",
          () -> {
            begun.countDown();
            awaitGate(gate);
          },
          refusal -> refused.add("a0"));
      begun.await();
      for (int i = 1; i < 5; i++) {
        String name = "a" + i;
        turns.execute("a", done::countDown, refusal -> refused.add(name));
      }
      assertThat(refused).containsExactly("a4");
      turns.execute("b", done::countDown, refusal -> refused.add("b1"));
      assertThat(refused).containsExactly("a4", "a3");
      // One of each is fair: whoever comes now has to come again.
      turns.execute("b", done::countDown, refusal -> refused.add("b2"));
      assertThat(refused).containsExactly("a4", "a3", "b2");
      gate.countDown();
      done.await();
    }
  }

  private static void awaitGate(CountDownLatch gate) {
    try {
      gate.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
