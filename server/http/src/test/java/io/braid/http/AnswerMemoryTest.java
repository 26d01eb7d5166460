package io.braid.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.runtime.ReadProgress;
import io.braid.http.AnswerMemory.Hold;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Fault 67: all answers that are gathered at a time have one bound. */
@Timeout(30)
class AnswerMemoryTest {
  private final AnswerMemory memory = new AnswerMemory(100, TimeUnit.SECONDS.toNanos(20), 0);
  private final AnswerMemory impatient = new AnswerMemory(100, 1, 5);
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  @Test
  void withoutADoorThereIsNoBound() {
    AnswerMemory.take(Long.MAX_VALUE / 2, 2);
    assertThat(memory.taken()).isZero();
  }

  @Test
  void anAnswerBeyondAllOfItIsRefusedForGood() {
    try (Hold hold = memory.open()) {
      AnswerMemory.take(30, 3);
      assertThatThrownBy(() -> AnswerMemory.take(11, 1))
          .isInstanceOfSatisfying(HttpRefusal.class, e -> assertThat(e.status()).isEqualTo(413));
      hold.take(10);
      assertThat(memory.taken()).isEqualTo(100);
    }
    assertThat(memory.taken()).isZero();
  }

  @Test
  void whoHoldsNothingWaitsForRoom() throws Exception {
    CountDownLatch full = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    Future<?> first = threads.submit(() -> hold(90, full, end));
    full.await();
    Future<?> second = threads.submit(() -> hold(80, new CountDownLatch(1), end));
    assertThatThrownBy(() -> second.get(100, TimeUnit.MILLISECONDS)).isNotNull();
    end.countDown();
    first.get();
    second.get();
    assertThat(memory.taken()).isZero();
  }

  @Test
  void whoHoldsSomethingIsRefusedUnlessItWasFirst() throws Exception {
    CountDownLatch full = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    Future<?> first = threads.submit(() -> hold(60, full, end));
    full.await();
    try (Hold second = memory.open()) {
      second.take(30);
      assertThatThrownBy(() -> second.take(30))
          .isInstanceOfSatisfying(HttpRefusal.class, e -> assertThat(e.status()).isEqualTo(503));
    }
    end.countDown();
    first.get();
  }

  @Test
  void nobodyWaitsForEver() {
    try (Hold first = impatient.open();
        Hold second = impatient.open()) {
      first.take(60);
      assertThatThrownBy(() -> second.take(60))
          .isInstanceOfSatisfying(HttpRefusal.class, e -> assertThat(e.status()).isEqualTo(503));
    }
  }

  @Test
  void whatIsSmallWaitsForNobody() {
    try (Hold first = impatient.open();
        Hold second = impatient.open()) {
      first.take(99);
      second.take(5);
      assertThat(impatient.taken()).isEqualTo(104);
    }
  }

  @Test
  void whatIsReadIsTakenWhileItIsGathered() {
    try (Hold hold = impatient.open()) {
      assertThat(hold).isNotNull();
      assertThatThrownBy(
              () ->
                  AnswerMemory.reading(
                      () -> {
                        ReadProgress.add(90);
                        ReadProgress.add(20);
                        return "too wide";
                      }))
          .isInstanceOfSatisfying(HttpRefusal.class, e -> assertThat(e.status()).isEqualTo(413));
      assertThat(impatient.taken()).isZero();
      ReadProgress.add(1000);
    }
    assertThat(impatient.taken()).isZero();
  }

  private void hold(long bytes, CountDownLatch has, CountDownLatch end) {
    try (Hold hold = memory.open()) {
      hold.take(bytes);
      has.countDown();
      end.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
