package io.braid.lab.soak;

import io.braid.core.runtime.Seams;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** How far one load has come, and whether it is stuck. */
final class Progress {
  private final Seams seams;
  private final Load load;
  private final AtomicLong steps = new AtomicLong();
  private volatile @Nullable String refusal;
  private long seenSteps;
  private long seenWithin;
  private long since;

  Progress(Seams seams, Load load) {
    this.seams = seams;
    this.load = load;
  }

  /** From here on it has to do something. */
  void begin() {
    since = seams.nanoTime();
  }

  void stepped() {
    steps.incrementAndGet();
    refusal = null;
  }

  /**
   * @param why of the newest step
   */
  void refused(String why) {
    refusal = why;
  }

  long steps() {
    return steps.get();
  }

  /**
   * Returns what is wrong if no step was done and none made progress for so long. One thread calls
   * it.
   */
  Optional<String> standstill(Duration patience) {
    long now = seams.nanoTime();
    long done = steps.get();
    long within = load.progress();
    if (done != seenSteps || within != seenWithin) {
      seenSteps = done;
      seenWithin = within;
      since = now;
    }
    return now - since > patience.toNanos() ? Optional.of(text(patience)) : Optional.empty();
  }

  /** Returns what is wrong when progress was due and did not come for so long. */
  String text(Duration patience) {
    String why = refusal;
    return "It stands still for "
        + patience.toSeconds()
        + " s"
        + (why == null ? "; nothing was refused." : "; the last refusal: " + why);
  }
}
