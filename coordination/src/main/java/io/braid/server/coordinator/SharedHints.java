package io.braid.server.coordinator;

import io.braid.core.data.Bytes;
import io.braid.core.protocol.Duty;
import io.braid.core.runtime.HintExchange;
import io.braid.core.runtime.Seams;
import io.braid.core.time.TimestampUnavailableException;
import io.braid.server.coordinator.HintMessage.HintOffer;
import io.braid.server.coordinator.HintMessage.HintRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Hints of several processes, which the coordinator passes on. Hints that are offered while a
 * message is out gather, and go with the next message. Hints without room are lost, and so are
 * those of a coordinator that is gone.
 */
final class SharedHints implements HintExchange, AutoCloseable {
  private static final Duration IDLE = Duration.ofSeconds(1);

  /** A request that waits longer counts as one that the coordinator is slow to answer. */
  private static final Duration LONGEST_WAIT = Duration.ofMillis(100);

  private final Directory offers;
  private final Directory takes;
  private final Seams seams;
  private volatile boolean closed;

  // Guarded by this.
  private final GatheredHints gathering = new GatheredHints();
  private @Nullable Duty sender;

  /**
   * @param offers how the coordinator is reached with offers
   * @param takes and with requests, which it may be long to answer
   */
  SharedHints(Directory offers, Directory takes, Seams seams) {
    this.offers = offers;
    this.takes = takes;
    this.seams = seams;
  }

  @Override
  public boolean reachesOthers() {
    return true;
  }

  @Override
  public void offer(String topic, Bytes hint) {
    Duty wakes = gather(new HintOffer(topic, hint));
    if (wakes != null) {
      wakes.wake();
    }
  }

  /** Returns the duty to wake; null when there was no room. */
  private synchronized @Nullable Duty gather(HintOffer offered) {
    if (closed || !gathering.add(offered)) {
      return null;
    }
    if (sender == null) {
      sender = Duty.start(seams, "braid-hints", IDLE, this::sendSome);
    }
    return sender;
  }

  /** Whether there was anything to send. */
  private boolean sendSome() {
    List<HintOffer> batch = gathered();
    if (batch.isEmpty() || closed) {
      return false;
    }
    send(batch);
    return true;
  }

  private synchronized List<HintOffer> gathered() {
    return gathering.take();
  }

  private void send(List<HintOffer> batch) {
    try {
      Leadership leadership = offers.leadership();
      if (leadership != null) {
        batch.forEach(each -> leadership.hints().offer(each.topic(), each.hint()));
      } else {
        offers.connection().exchange(Frames.OFFER_HINTS, HintMessage.offer(batch));
      }
    } catch (TimestampUnavailableException | IOException e) {
      // Hints may be lost: nothing relies on them.
    }
  }

  @Override
  public List<Bytes> take(Set<String> topics, int most, Duration wait) {
    Duration atMost = wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT;
    try {
      Leadership leadership = takes.leadership();
      return leadership != null
          ? leadership.hints().take(topics, most, atMost)
          : HintMessage.answered(
              takes
                  .connection()
                  .exchange(Frames.TAKE_HINTS, new HintRequest(topics, most, atMost).encode()));
    } catch (TimestampUnavailableException | IOException e) {
      seams.sleep(wait);
      return List.of();
    }
  }

  @Override
  public void close() {
    closed = true;
    offers.close();
    takes.close();
    Duty running = sender();
    if (running != null) {
      running.close();
    }
  }

  private synchronized @Nullable Duty sender() {
    return sender;
  }
}
