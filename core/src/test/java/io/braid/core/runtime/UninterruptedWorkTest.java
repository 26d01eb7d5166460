package io.braid.core.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.channels.ClosedByInterruptException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Fault 70: work goes on through an interrupt, which is kept for who looks for it. */
class UninterruptedWorkTest {
  private final AtomicInteger runs = new AtomicInteger();

  @AfterEach
  void clear() {
    boolean unused = Thread.interrupted();
  }

  @Test
  void anInterruptFromBeforeIsPutAside() throws Exception {
    Thread.currentThread().interrupt();
    boolean seen = UninterruptedWork.again(() -> Thread.currentThread().isInterrupted());
    assertThat(seen).isFalse();
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void whatAnInterruptEndsIsDoneAgain() throws Exception {
    UninterruptedWork.againStep(
        () -> {
          if (runs.getAndIncrement() == 0) {
            Thread.currentThread().interrupt();
            throw new ClosedByInterruptException();
          }
        });
    assertThat(runs).hasValue(2);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void whatFailsForAnotherReasonIsNot() {
    assertThatThrownBy(
            () ->
                UninterruptedWork.againStep(
                    () -> {
                      runs.incrementAndGet();
                      throw new IllegalStateException("its own");
                    }))
        .hasMessage("its own");
    assertThat(runs).hasValue(1);
    assertThat(Thread.interrupted()).isFalse();
  }
}
