package io.braid.core.runtime;

import io.braid.core.data.Bytes;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * Hints between the processes of a database: things that one has changed and another may want to
 * look at soon. Nothing relies on hints: a hint may be lost, and goes to one taker at most.
 */
@API(status = API.Status.EXPERIMENTAL)
public interface HintExchange {
  /** The exchange of a process that is alone: there is no other process to inform. */
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
   * Takes hints that others have offered. Hints of a topic are kept only where a process has
   * recently asked for them.
   *
   * @param wait about how long to wait for the first hint; the answer may come sooner without any
   */
  List<Bytes> take(Set<String> topics, int most, Duration wait);
}
