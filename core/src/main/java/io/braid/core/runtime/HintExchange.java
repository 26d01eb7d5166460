package io.braid.core.runtime;

import io.braid.core.data.Bytes;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Hints between the processes of a database: what one has changed and another may want to look at
 * soon. Nothing relies on it: a hint may be lost, and is given to one taker at most.
 */
public interface HintExchange {
  /** Where a process is alone: nobody to tell. */
  HintExchange NONE =
      new HintExchange() {
        @Override
        public boolean reachesOthers() {
          return false;
        }

        @Override
        public void offer(String topic, Bytes hint) {}

        @Override
        public List<Bytes> take(Set<String> topics, int most, Duration wait) {
          return List.of();
        }
      };

  /** Whether there can be other processes. */
  boolean reachesOthers();

  /** Passes a hint on to a process that takes those of its topic, if there is one; never waits. */
  void offer(String topic, Bytes hint);

  /**
   * Takes hints that others have offered. Those of a topic are kept only where somebody has asked
   * for them lately.
   *
   * @param wait how long to wait for the first, about; the answer may come sooner without any
   */
  List<Bytes> take(Set<String> topics, int most, Duration wait);
}
