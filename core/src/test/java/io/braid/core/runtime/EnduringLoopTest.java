package io.braid.core.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Fault 91: a moment without memory ends no background work. */
class EnduringLoopTest {
  @Test
  void aLoopThatTheMachineBrokeOffBeginsAgain() {
    AtomicInteger begun = new AtomicInteger();
    EnduringLoop.loop(
            () -> {
              if (begun.incrementAndGet() < 3) {
                throw new OutOfMemoryError("as the machine would");
              }
            })
        .run();
    assertThat(begun).hasValue(3);
  }

  @Test
  void whatElseGoesWrongEndsIt() {
    Runnable loop =
        EnduringLoop.loop(
            () -> {
              throw new IllegalStateException("a defect");
            });
    assertThatIllegalStateException().isThrownBy(loop::run);
  }
}
