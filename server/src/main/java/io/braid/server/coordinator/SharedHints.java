package io.braid.server.coordinator;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.HintExchange;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;
import io.braid.core.runtime.Task;
import io.braid.core.time.TimestampUnavailableException;
import io.braid.server.coordinator.HintMessage.Offered;
import io.braid.server.coordinator.HintMessage.Wanted;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Hints of several processes, which the coordinator hands on. What is offered gathers while a
 * message is out, and goes with the next one; what there is no room for, and what a coordinator
 * that is gone had, is lost.
 */
final class SharedHints implements HintExchange, AutoCloseable {
  private static final Duration IDLE = Duration.ofSeconds(1);
  private static final Duration STOP = Duration.ofSeconds(10);

  /** A request that waits longer counts as one that the coordinator is slow to answer. */
  private static final Duration LONGEST_WAIT = Duration.ofMillis(100);

  private final Directory offers;
  private final Directory takes;
  private final Seams seams;
  private final Signal signal;
  private volatile boolean closed;

  // Guarded by this.
  private final GatheredHints gathering = new GatheredHints();
  private @Nullable Task sender;

  /**
   * @param offers how the coordinator is reached with offers
   * @param takes and with requests, which it may be long to answer
   */
  SharedHints(Directory offers, Directory takes, Seams seams) {
    this.offers = offers;
    this.takes = takes;
    this.seams = seams;
    this.signal = seams.signal();
  }

  @Override
  public boolean reachesOthers() {
    return true;
  }

  @Override
  public void offer(String topic, Bytes hint) {
    if (gather(new Offered(topic, hint))) {
      signal.raise();
    }
  }

  private synchronized boolean gather(Offered offered) {
    if (closed || !gathering.add(offered)) {
      return false;
    }
    if (sender == null) {
      sender = seams.start("braid-hints", this::sendAll);
    }
    return true;
  }

  private void sendAll() {
    while (!closed) {
      List<Offered> batch = gathered();
      if (batch.isEmpty()) {
        signal.await(IDLE);
      } else {
        send(batch);
      }
    }
  }

  private synchronized List<Offered> gathered() {
    return gathering.take();
  }

  private void send(List<Offered> batch) {
    try {
      Office office = offers.office();
      if (office != null) {
        batch.forEach(each -> office.hints().offer(each.topic(), each.hint()));
      } else {
        offers.connection().exchange(Frames.OFFER_HINTS, HintMessage.offer(batch));
      }
    } catch (TimestampUnavailableException | IOException e) {
      // Nobody relies on them.
    }
  }

  @Override
  public List<Bytes> take(Set<String> topics, int most, Duration wait) {
    Duration atMost = wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT;
    try {
      Office office = takes.office();
      return office != null
          ? office.hints().take(topics, most, atMost)
          : HintMessage.answered(
              takes
                  .connection()
                  .exchange(Frames.TAKE_HINTS, new Wanted(topics, most, atMost).encode()));
    } catch (TimestampUnavailableException | IOException e) {
      seams.sleep(wait);
      return List.of();
    }
  }

  @Override
  public void close() {
    closed = true;
    signal.raise();
    offers.close();
    takes.close();
    Task running = sender();
    if (running != null) {
      running.join(STOP);
    }
  }

  private synchronized @Nullable Task sender() {
    return sender;
  }
}
