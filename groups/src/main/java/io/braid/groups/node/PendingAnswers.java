package io.braid.groups.node;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.Seams;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends clients empty frames while their answers are being worked on. A client that hears nothing
 * for {@link TcpLine#SILENCE_MILLIS} assumes that the node hangs, and asks another: the groups of
 * the node may have had other leaders for long.
 */
final class PendingAnswers {
  /** Between two empty frames. */
  static final Duration EACH = Duration.ofSeconds(2);

  private static final Logger LOG = LoggerFactory.getLogger(PendingAnswers.class);

  private final Seams seams;
  private final Set<Line> busy = ConcurrentHashMap.newKeySet();

  PendingAnswers(Seams seams) {
    this.seams = seams;
  }

  /** A connection, whose requests are answered one after another. */
  final class Line {
    private final DataOutputStream to;
    private final ReentrantLock writing = new ReentrantLock();
    private long told;

    private Line(DataOutputStream to) {
      this.to = to;
    }

    /** A request is being worked on from now on. */
    void begin() {
      writing.lock();
      try {
        told = seams.nanoTime();
        busy.add(this);
      } finally {
        writing.unlock();
      }
    }

    /** Answers it. */
    void end(Bytes answer) throws IOException {
      writing.lock();
      try {
        busy.remove(this);
        Frames.write(to, answer);
      } finally {
        writing.unlock();
      }
    }

    /** The connection has ended. */
    void close() {
      busy.remove(this);
    }

    /** Does not wait for an answer that is being written: a slow client would delay all others. */
    private void tell() {
      if (!writing.tryLock()) {
        return;
      }
      try {
        if (busy.contains(this) && seams.nanoTime() - told >= EACH.toNanos()) {
          told = seams.nanoTime();
          Frames.write(to, Bytes.EMPTY);
        }
      } catch (IOException e) {
        LOG.debug("A client could not be told that its answer is under way: {}", e.toString());
      } finally {
        writing.unlock();
      }
    }
  }

  /** The answers of a connection. */
  Line line(DataOutputStream to) {
    return new Line(to);
  }

  /**
   * Sends an empty frame to all clients that have waited long enough since the last one. Must be
   * called again and again.
   */
  void tell() {
    busy.forEach(Line::tell);
  }
}
