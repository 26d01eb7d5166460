package io.braid;

import io.braid.core.runtime.AdvisoryLocks;
import io.braid.core.runtime.HintExchange;
import io.braid.core.runtime.Liveness;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;
import io.braid.core.runtime.Task;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** The seams of a process, with the liveness of one of its group nodes. */
record NodeSeams(Seams process, Liveness liveness) implements Seams {
  @Override
  public long wallMillis() {
    return process.wallMillis();
  }

  @Override
  public long nanoTime() {
    return process.nanoTime();
  }

  @Override
  public RandomGenerator random() {
    return process.random();
  }

  @Override
  public void sleep(Duration duration) {
    process.sleep(duration);
  }

  @Override
  public Task start(String name, Runnable body) {
    return process.start(name, body);
  }

  @Override
  public Signal signal() {
    return process.signal();
  }

  @Override
  public AdvisoryLocks locks() {
    return process.locks();
  }

  @Override
  public HintExchange hints() {
    return process.hints();
  }
}
