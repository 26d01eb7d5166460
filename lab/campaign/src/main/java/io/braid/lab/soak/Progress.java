package io.braid.lab.soak;

import io.braid.core.runtime.Seams;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** How far one load has come, and whether it stands still. */
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
   * Looks, from one thread: what is wrong when neither a step was done nor one came any further for
   * so long.
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

  /** What is wrong when it was to end and did not for so long. */
  String text(Duration patience) {
    String why = refusal;
    return "It stands still for "
        + patience.toSeconds()
        + " s"
        + (why == null ? "; nothing was refused." : "; the last refusal: " + why);
  }
}
