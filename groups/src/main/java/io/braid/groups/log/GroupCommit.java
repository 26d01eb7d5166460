package io.braid.groups.log;

import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;
import io.braid.groups.rows.Reign;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Lets many commits share one write (section 5.4). A thread that finds no write running writes for
 * all that wait; the others wait for it. The class has no thread of its own, and holds no monitor
 * while it writes.
 */
final class GroupCommit {
  private static final Duration LOOK_AGAIN = Duration.ofMillis(200);

  private final Seams seams;
  private final Sink sink;
  private final Object monitor = new Object();
  private final Map<Long, Long> fenced = new HashMap<>();
  private List<PendingEntry> queue = new ArrayList<>();
  private List<Signal> waiters = new ArrayList<>();
  private long appended;
  private long durable;
  private boolean writing;
  private @Nullable Throwable broken;

  /** An entry that is to be written, in the reign of its leader. */
  record PendingEntry(LogEntry entry, Reign reign, Place place) {}

  /** The place of an entry in the order of all entries that were appended here. */
  final class Place implements GroupLog.Ticket {
    private final long group;
    private final long number;

    /** The entry does not become durable, since another leads the group by now. */
    private volatile boolean refused;

    private Place(long group, long number) {
      this.group = group;
      this.number = number;
    }

    private void force() {
      boolean interrupted = false;
      try {
        while (true) {
          Turn turn = turn(this);
          if (turn.batch != null) {
            write(turn.batch, turn.upTo);
          } else if (turn.news != null) {
            // A write on its way to the disk cannot be called back: wait for it.
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
  }

  /** Where batches go. */
  interface Sink {
    /**
     * Writes entries in their order; they are durable on return.
     *
     * @return the groups that others lead by now, with the highest epoch that was refused: no entry
     *     of that epoch or a lower one counts as written
     */
    Map<Long, Long> write(List<PendingEntry> batch);
  }

  GroupCommit(Seams seams, Sink sink) {
    this.seams = seams;
    this.sink = sink;
  }

  GroupLog.Ticket append(LogEntry entry, Reign reign) {
    synchronized (monitor) {
      Place place = new Place(entry.group(), appended + 1);
      if (reign.epoch() > fenced.getOrDefault(entry.group(), 0L)) {
        queue.add(new PendingEntry(entry, reign, place));
      } else {
        place.refused = true;
      }
      appended++;
      return place;
    }
  }

  /** Waits until the entry of a ticket is durable. */
  static void force(GroupLog.Ticket ticket) {
    ((Place) ticket).force();
  }

  /**
   * Waits until no entry of the group with a lower epoch is written any more. Threads that wait for
   * such an entry get {@link LogFencedException}.
   */
  void fence(long group, long epoch) {
    boolean interrupted = false;
    for (Signal news = refused(group, epoch); news != null; news = refused(group, epoch)) {
      interrupted |= Thread.interrupted();
      news.await(LOOK_AGAIN);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Refuses the waiting entries. Returns the signal to wait for while a thread writes, or null when
   * none does.
   */
  private @Nullable Signal refused(long group, long epoch) {
    synchronized (monitor) {
      refuse(queue, Map.of(group, epoch - 1));
      queue.removeIf(each -> each.place.refused);
      if (!writing) {
        return null;
      }
      Signal news = seams.signal();
      waiters.add(news);
      return news;
    }
  }

  /** Entries of these groups, of these epochs or lower ones, do not count; nor do later ones. */
  private void refuse(List<PendingEntry> entries, Map<Long, Long> epochs) {
    epochs.forEach((group, epoch) -> fenced.merge(group, epoch, Math::max));
    for (PendingEntry each : entries) {
      Long epoch = epochs.get(each.entry.group());
      if (epoch != null && each.reign.epoch() <= epoch) {
        each.place.refused = true;
      }
    }
  }

  /** Ends the appends of this process to a group. Waiting threads still get their result. */
  void left(long group) {
    synchronized (monitor) {
      fenced.remove(group);
    }
  }

  /** How many groups it keeps lower epochs out of. */
  int fences() {
    synchronized (monitor) {
      return fenced.size();
    }
  }

  /** Whether a write has failed: then nothing is written any more. */
  boolean isBroken() {
    synchronized (monitor) {
      return broken != null;
    }
  }

  private record Turn(@Nullable List<PendingEntry> batch, long upTo, @Nullable Signal news) {}

  private Turn turn(Place place) {
    synchronized (monitor) {
      if (durable >= place.number) {
        if (place.refused) {
          throw new LogFencedException(place.group);
        }
        return new Turn(null, 0, null);
      }
      if (broken != null) {
        throw LogBrokenException.outcomeUnknown(broken);
      }
      if (writing) {
        Signal news = seams.signal();
        waiters.add(news);
        return new Turn(null, 0, news);
      }
      List<PendingEntry> batch = queue;
      Turn turn = new Turn(batch, appended, null);
      queue = new ArrayList<>();
      // Last: no later step can fail, so the thread that writes always reports the end of the
      // write.
      writing = true;
      return turn;
    }
  }

  private void write(List<PendingEntry> batch, long upTo) {
    Throwable failure = null;
    Map<Long, Long> refused = Map.of();
    try {
      refused = sink.write(batch);
    } catch (RuntimeException | Error e) {
      // After any failure, the waiting threads must learn that the write has ended.
      failure = e;
    }
    List<Signal> wake;
    synchronized (monitor) {
      writing = false;
      refuse(batch, refused);
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
