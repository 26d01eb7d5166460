package io.braid.server.coordinator;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Hints that wait to be taken, and the topics that are asked for: memory of the coordinator, with a
 * bound. A topic without a recent request keeps no hints. When there is no room, new hints are
 * dropped.
 */
final class HintBoard {
  /** Takers ask again and again: a topic is theirs for so long. */
  private static final long TAKEN_NANOS = Duration.ofSeconds(5).toNanos();

  private static final int MOST_TOPICS = 10_000;
  private static final long MOST_BYTES = 16 << 20;
  private static final long MOST_ANSWERED = 1 << 20;
  private static final int OVERHEAD = 64;

  private final Seams seams;

  // Guarded by this.
  private final Map<String, Topic> topics = new HashMap<>();
  private final List<Taker> takers = new ArrayList<>();
  private long bytes;

  private static final class Topic {
    final Deque<Bytes> waiting = new ArrayDeque<>();
    long asked;
  }

  private record Taker(Set<String> topics, Signal signal) {}

  HintBoard(Seams seams) {
    this.seams = seams;
  }

  synchronized void offer(String name, Bytes hint) {
    Topic topic = topics.get(name);
    if (topic == null || bytes + size(hint) > MOST_BYTES) {
      return;
    }
    if (isForgotten(topic, seams.nanoTime())) {
      forget(name);
      return;
    }
    topic.waiting.add(hint);
    bytes += size(hint);
    takers.stream()
        .filter(taker -> taker.topics.contains(name))
        .findFirst()
        .ifPresent(taker -> taker.signal.raise());
  }

  /** Waits, about so long at most, when there are none. */
  List<Bytes> take(Set<String> wanted, int most, Duration wait) {
    Taker taker = new Taker(wanted, seams.signal());
    List<Bytes> taken = takeNow(taker, most, true);
    if (!taken.isEmpty() || wait.isZero()) {
      leave(taker);
      return taken;
    }
    taker.signal.await(wait);
    leave(taker);
    return takeNow(taker, most, false);
  }

  private synchronized List<Bytes> takeNow(Taker taker, int most, boolean stay) {
    long now = seams.nanoTime();
    if (!topics.keySet().containsAll(taker.topics)) {
      forgetOld(now);
    }
    List<Bytes> taken = new ArrayList<>();
    long size = 0;
    for (String name : taker.topics) {
      Topic topic = topicOf(name);
      if (topic != null) {
        topic.asked = now;
        while (!topic.waiting.isEmpty() && taken.size() < most && size < MOST_ANSWERED) {
          Bytes hint = topic.waiting.remove();
          bytes -= size(hint);
          size += size(hint);
          taken.add(hint);
        }
      }
    }
    if (stay) {
      takers.add(taker);
    }
    return taken;
  }

  private void forgetOld(long now) {
    List<String> forgotten = new ArrayList<>();
    topics.forEach(
        (each, known) -> {
          if (isForgotten(known, now)) {
            forgotten.add(each);
          }
        });
    forgotten.forEach(this::forget);
  }

  private @Nullable Topic topicOf(String name) {
    Topic topic = topics.get(name);
    if (topic == null && topics.size() < MOST_TOPICS && bytes + size(name) <= MOST_BYTES) {
      topic = new Topic();
      topics.put(name, topic);
      bytes += size(name);
    }
    return topic;
  }

  private synchronized void leave(Taker taker) {
    takers.remove(taker);
  }

  private static boolean isForgotten(Topic topic, long now) {
    return now - topic.asked > TAKEN_NANOS;
  }

  private void forget(String name) {
    Topic topic = topics.remove(name);
    if (topic != null) {
      bytes -= size(name);
      topic.waiting.forEach(hint -> bytes -= size(hint));
    }
  }

  private static long size(String name) {
    return 2L * name.length() + OVERHEAD;
  }

  private static long size(Bytes hint) {
    return hint.length() + OVERHEAD;
  }

  /** How many hints wait. */
  synchronized int waiting() {
    return topics.values().stream().mapToInt(topic -> topic.waiting.size()).sum();
  }
}
