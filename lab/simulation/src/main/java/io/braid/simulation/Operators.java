package io.braid.simulation;

import io.braid.core.store.StoreException;
import io.braid.core.time.TimestampUnavailableException;
import io.braid.observers.ObserverStatus;
import io.braid.observers.Observers;
import io.braid.simulation.schedule.SimRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * People, or programs of theirs, that pause observers, resume them, have them run over all rows
 * again and replay the dead letters, while everything else goes on.
 */
final class Operators {
  private static final long MEAN_REPLAY_NANOS = Duration.ofSeconds(10).toNanos();
  private static final long MEAN_PAUSE_NANOS = Duration.ofSeconds(2).toNanos();
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final SimRandom random;
  private final boolean busy;
  private final List<String> strong;
  private int active;
  private boolean stop;
  private long replayed;
  private long paused;
  private long backfills;

  /**
   * @param busy whether they do more than to replay
   * @param strong the observers that can be backfilled
   */
  Operators(SimRandom random, boolean busy, List<String> strong) {
    this.random = random;
    this.busy = busy;
    this.strong = strong;
  }

  /** Works until it has to stop; in a task of a process. */
  void work(Node node, Observers observers) {
    active++;
    try {
      while (!stop) {
        long mean = busy ? MEAN_PAUSE_NANOS : MEAN_REPLAY_NANOS;
        node.seams().sleep(Duration.ofNanos(random.around(mean)));
        if (!stop) {
          step(node, observers);
        }
      }
    } finally {
      active--;
    }
  }

  private void step(Node node, Observers observers) {
    int kind = busy ? random.nextInt(4) : 0;
    if (kind == 0) {
      replay(node, observers);
      return;
    }
    String name = strong.get(random.nextInt(strong.size()));
    try {
      if (kind == 1) {
        observers.operations().pause(name);
        paused++;
      } else if (kind == 2) {
        observers.operations().resume(name);
      } else {
        observers.operations().requestBackfill(name, true);
        backfills++;
      }
    } catch (StoreException | TimestampUnavailableException | IllegalArgumentException e) {
      node.seams().sleep(PAUSE);
    }
  }

  void replay(Node node, Observers observers) {
    try {
      replayed += observers.operations().replayAll(Optional.empty(), change -> {});
    } catch (StoreException | TimestampUnavailableException e) {
      node.seams().sleep(PAUSE);
    }
  }

  void stop() {
    stop = true;
  }

  boolean haveStopped() {
    return active == 0;
  }

  /** Resumes everything, and waits until all backfills are done. */
  void tidyUp(Node node, Observers observers) {
    for (String name : strong) {
      boolean resumed = false;
      while (!resumed) {
        try {
          observers.operations().resume(name);
          resumed = true;
        } catch (StoreException | TimestampUnavailableException e) {
          node.seams().sleep(PAUSE);
        }
      }
    }
    while (!areDone(observers)) {
      node.seams().sleep(PAUSE);
    }
  }

  private static boolean areDone(Observers observers) {
    try {
      for (ObserverStatus each : observers.operations().list()) {
        if (each.backfill().isPresent() && !each.backfill().get().done()) {
          return false;
        }
      }
      return true;
    } catch (StoreException e) {
      return false;
    }
  }

  long replayed() {
    return replayed;
  }

  long paused() {
    return paused;
  }

  long backfills() {
    return backfills;
  }
}
