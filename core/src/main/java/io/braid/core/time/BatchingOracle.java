package io.braid.core.time;

import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The client's side of a slower oracle. One request is out at a time, and callers that come
 * meanwhile share the next one (Percolator, section 2.3). As the oracle becomes slower the batches
 * grow by themselves.
 *
 * <p>No caller joins a request that was sent already: its timestamps might be below one that the
 * caller has seen since.
 *
 * <p>A caller that finds no request out sends its own. When the answer arrives, the first of the
 * callers that gathered meanwhile sends the request for all of them. The oracle has no task of its
 * own and needs no closing.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class BatchingOracle implements TimestampOracle {
  private static final Duration NUDGE = Duration.ofSeconds(1);

  private final TimestampOracle oracle;
  private final Seams seams;

  // Guarded by this.
  private final Deque<Batch> gathering = new ArrayDeque<>();
  private boolean out;

  public BatchingOracle(TimestampOracle oracle, Seams seams) {
    this.oracle = oracle;
    this.seams = seams;
  }

  /** One caller's part of a request. */
  private static final class Part {
    private final int count;
    private final long offset;
    private final Signal signal;
    private @Nullable Batch toSend;
    private @Nullable Throwable failure;
    private long first;
    private boolean answered;
    private boolean gaveUp;

    Part(int count, long offset, Signal signal) {
      this.count = count;
      this.offset = offset;
      this.signal = signal;
    }
  }

  /** A request and the callers that share it. */
  private static final class Batch {
    private final List<Part> parts = new ArrayList<>();
    private int count;

    boolean hasRoomFor(int more) {
      return count + more <= LocalOracle.MAX_COUNT;
    }

    Part add(int more, Signal signal) {
      Part part = new Part(more, count * Timestamp.STEP, signal);
      parts.add(part);
      count += more;
      return part;
    }

    Optional<Part> sender() {
      return parts.stream().filter(part -> !part.gaveUp).findFirst();
    }
  }

  @Override
  public long next(int count) {
    if (count < 1 || count > LocalOracle.MAX_COUNT) {
      throw new IllegalArgumentException(
          "Asked for " + count + " timestamps: ask for 1 to " + LocalOracle.MAX_COUNT + ".");
    }
    Part part = join(count, seams.signal());
    while (true) {
      Batch batch = myTurnToSend(part);
      if (batch != null) {
        send(batch);
      }
      if (answered(part)) {
        return part.first;
      }
      part.signal.await(NUDGE);
      if (Thread.currentThread().isInterrupted() && giveUp(part)) {
        throw new TimestampUnavailableException("Interrupted while waiting for a timestamp.");
      }
    }
  }

  @Override
  public long lastAt(Instant time) {
    return oracle.lastAt(time);
  }

  @Override
  public long lastIssued() {
    return oracle.lastIssued();
  }

  /** How many callers wait for a request that was not sent yet. */
  synchronized int gatheringCount() {
    return gathering.stream().mapToInt(batch -> batch.parts.size()).sum();
  }

  private synchronized Part join(int count, Signal signal) {
    Batch last = gathering.peekLast();
    if (last == null || !last.hasRoomFor(count)) {
      last = new Batch();
      gathering.add(last);
    }
    Part part = last.add(count, signal);
    if (!out) {
      appointSender();
    }
    return part;
  }

  private synchronized @Nullable Batch myTurnToSend(Part part) {
    Batch batch = part.toSend;
    part.toSend = null;
    return batch;
  }

  private synchronized boolean answered(Part part) {
    Throwable failure = part.failure;
    if (failure != null) {
      throw new TimestampUnavailableException(
          "No timestamp could be drawn: " + failure.getMessage(), failure);
    }
    return part.answered;
  }

  /** False when the part was answered, or has to send, and so has to go on. */
  private synchronized boolean giveUp(Part part) {
    part.gaveUp = !part.answered && part.failure == null && part.toSend == null;
    return part.gaveUp;
  }

  private void send(Batch batch) {
    long first = 0;
    Throwable failure = null;
    try {
      first = oracle.next(batch.count);
    } catch (RuntimeException | Error e) {
      failure = e;
    }
    distribute(batch, first, failure).forEach(Signal::raise);
    if (failure instanceof Error e) {
      throw e;
    }
  }

  private synchronized List<Signal> distribute(
      Batch batch, long first, @Nullable Throwable failure) {
    List<Signal> toRaise = new ArrayList<>();
    for (Part part : batch.parts) {
      part.first = first + part.offset;
      part.failure = failure;
      part.answered = failure == null;
      toRaise.add(part.signal);
    }
    appointSender().ifPresent(part -> toRaise.add(part.signal));
    return toRaise;
  }

  private synchronized Optional<Part> appointSender() {
    out = false;
    while (!gathering.isEmpty()) {
      Batch batch = gathering.remove();
      Optional<Part> sender = batch.sender();
      if (sender.isPresent()) {
        sender.get().toSend = batch;
        out = true;
        return sender;
      }
    }
    return Optional.empty();
  }
}
