package io.braid.groups.log;

import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lets many commits share one write (section 5.4). Whoever finds nobody writing writes for all that
 * wait; the others wait for it. No thread of its own, and no monitor while it writes.
 */
final class GroupCommit {
  private static final Duration LOOK_AGAIN = Duration.ofMillis(200);

  private final Seams seams;
  private final Sink sink;
  private final Object monitor = new Object();
  private List<LogEntry> queue = new ArrayList<>();
  private List<Signal> waiters = new ArrayList<>();
  private long appended;
  private long durable;
  private boolean writing;
  private @Nullable RuntimeException broken;

  /** Where batches go. */
  interface Sink {
    /** Writes entries in their order; durable when it returns. */
    void write(List<LogEntry> batch);
  }

  GroupCommit(Seams seams, Sink sink) {
    this.seams = seams;
    this.sink = sink;
  }

  long append(LogEntry entry) {
    synchronized (monitor) {
      queue.add(entry);
      return ++appended;
    }
  }

  void force(long ticket) {
    boolean interrupted = false;
    try {
      while (true) {
        Turn turn = turn(ticket);
        if (turn.batch != null) {
          write(turn.batch, turn.upTo);
        } else if (turn.news != null) {
          // What is on its way to the disk cannot be called back: wait for it.
          interrupted |= Thread.interrupted();
          turn.news.await(LOOK_AGAIN);
        } else {
          return;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private record Turn(@Nullable List<LogEntry> batch, long upTo, @Nullable Signal news) {}

  private Turn turn(long ticket) {
    synchronized (monitor) {
      if (durable >= ticket) {
        return new Turn(null, 0, null);
      }
      if (broken != null) {
        throw new LogBrokenException(
            "The log of the groups is broken: whether the commit is in it is unknown."
                + " Open the database again.",
            broken);
      }
      if (writing) {
        Signal news = seams.signal();
        waiters.add(news);
        return new Turn(null, 0, news);
      }
      writing = true;
      List<LogEntry> batch = queue;
      queue = new ArrayList<>();
      return new Turn(batch, appended, null);
    }
  }

  private void write(List<LogEntry> batch, long upTo) {
    RuntimeException failure = null;
    try {
      sink.write(batch);
    } catch (RuntimeException e) {
      failure = e;
    }
    List<Signal> wake;
    synchronized (monitor) {
      writing = false;
      if (failure == null) {
        durable = upTo;
      } else {
        broken = failure;
      }
      wake = waiters;
      waiters = new ArrayList<>();
    }
    wake.forEach(Signal::raise);
  }
}
