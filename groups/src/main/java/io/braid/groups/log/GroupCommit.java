package io.braid.groups.log;

import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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
  private final Set<Long> fenced = new HashSet<>();
  private List<Pending> queue = new ArrayList<>();
  private List<Signal> waiters = new ArrayList<>();
  private long appended;
  private long durable;
  private boolean writing;
  private @Nullable RuntimeException broken;

  /** An entry that is to be written, in the epoch of its leader. */
  record Pending(LogEntry entry, long epoch) {}

  /** Where batches go. */
  interface Sink {
    /**
     * Writes entries in their order; durable when it returns.
     *
     * @return the groups that others lead by now: none of their entries counts as written
     */
    Set<Long> write(List<Pending> batch);
  }

  GroupCommit(Seams seams, Sink sink) {
    this.seams = seams;
    this.sink = sink;
  }

  long append(LogEntry entry, long epoch) {
    synchronized (monitor) {
      queue.add(new Pending(entry, epoch));
      return ++appended;
    }
  }

  void force(long group, long ticket) {
    boolean interrupted = false;
    try {
      while (true) {
        Turn turn = turn(group, ticket);
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

  private record Turn(@Nullable List<Pending> batch, long upTo, @Nullable Signal news) {}

  private Turn turn(long group, long ticket) {
    synchronized (monitor) {
      if (durable >= ticket) {
        if (fenced.contains(group)) {
          throw new LogFencedException(group);
        }
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
      List<Pending> batch = queue;
      queue = new ArrayList<>();
      return new Turn(batch, appended, null);
    }
  }

  private void write(List<Pending> batch, long upTo) {
    RuntimeException failure = null;
    Set<Long> refused = Set.of();
    try {
      refused = sink.write(batch);
    } catch (RuntimeException e) {
      failure = e;
    }
    List<Signal> wake;
    synchronized (monitor) {
      writing = false;
      fenced.addAll(refused);
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
