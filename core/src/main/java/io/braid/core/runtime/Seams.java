package io.braid.core.runtime;

import java.time.Duration;
import java.util.random.RandomGenerator;
import org.apiguardian.api.API;

/**
 * The services that a Braid process gets from its surroundings. {@link SystemSeams} is the real
 * implementation. The simulator brings its own, and switches between tasks at these calls only.
 *
 * <p>No monitor and no lock is held across {@link #sleep sleep}, {@link Signal#await Signal.await},
 * {@link Task#join Task.join} or a call of a store.
 */
@API(status = API.Status.EXPERIMENTAL)
public interface Seams {
  /** Milliseconds since 1970. May step back. */
  long wallMillis();

  /** Nanoseconds of a clock that never goes back; only differences mean something. */
  long nanoTime();

  /** Safe for many threads. */
  RandomGenerator random();

  /** Waits. An interrupt ends the wait and stays set for the caller to see. */
  void sleep(Duration duration);

  /**
   * Starts a task on a thread of its own.
   *
   * @param name shows in thread dumps and traces
   */
  Task start(String name, Runnable body);

  /** Returns a new signal that is not raised. */
  Signal signal();

  /** Tells which processes are alive. */
  Liveness liveness();

  /** Advisory locks. */
  AdvisoryLocks locks();

  /** Returns the exchange of hints on what other processes should look at. */
  default HintExchange hints() {
    return HintExchange.NONE;
  }
}
