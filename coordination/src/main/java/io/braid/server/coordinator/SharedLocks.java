package io.braid.server.coordinator;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.AdvisoryLocks;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;
import io.braid.core.time.TimestampUnavailableException;
import io.braid.server.coordinator.LockMessage.Change;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The lock service of several processes: the coordinator's memory. Without a coordinator no process
 * gets a lock, and with a new coordinator all locks are free.
 *
 * <p>One message is out at a time. Requests that come meanwhile share the next message, as with
 * timestamps. No thread waits for an unlock that can go with another message.
 */
final class SharedLocks implements AdvisoryLocks {
  private static final Duration NUDGE = Duration.ofSeconds(1);
  private static final int MOST_SENT = 1024;

  /**
   * Bytes of a message without its last change, at most: the coordinator refuses longer messages.
   */
  private static final int MOST_BYTES = Frames.MOST_BYTES / 2;

  private final Directory directory;
  private final Seams seams;

  // Guarded by this.
  private List<Part> gathering = new ArrayList<>();
  private boolean out;

  SharedLocks(Directory directory, Seams seams) {
    this.directory = directory;
    this.seams = seams;
  }

  /**
   * One change of a lock.
   *
   * @param signal of the thread that waits for it; null for an unlock
   */
  private static final class Part {
    final Change change;
    final @Nullable Signal signal;
    volatile boolean sends;
    volatile boolean answered;
    volatile boolean taken;

    Part(Change change, @Nullable Signal signal) {
      this.change = change;
      this.signal = signal;
    }
  }

  @Override
  public boolean tryLock(String name, String owner) {
    return tryLockAll(List.of(name), owner).get(0);
  }

  @Override
  public List<Boolean> tryLockAll(List<String> names, String owner) {
    Leadership leadership = directory.leadership();
    if (leadership != null) {
      return names.stream().map(name -> tryLock(leadership, name, owner)).toList();
    }
    Signal signal = seams.signal();
    List<Part> parts =
        names.stream().map(name -> new Part(new Change(true, name, owner), signal)).toList();
    join(parts);
    while (true) {
      if (isToSend(parts)) {
        sendAll();
      }
      if (parts.stream().allMatch(part -> part.answered)) {
        return parts.stream().map(part -> part.taken).toList();
      }
      signal.await(NUDGE);
      if (Thread.currentThread().isInterrupted()) {
        leave(parts);
      }
    }
  }

  private boolean tryLock(Leadership leadership, String name, String owner) {
    try {
      return leadership.locks().tryLock(directory, name, owner);
    } catch (TimestampUnavailableException e) {
      return false;
    }
  }

  @Override
  public void unlock(String name, String owner) {
    unlockAll(List.of(name), owner);
  }

  @Override
  public void unlockAll(List<String> names, String owner) {
    Leadership leadership = directory.leadership();
    if (leadership != null) {
      try {
        names.forEach(name -> leadership.locks().unlock(name, owner));
      } catch (TimestampUnavailableException e) {
        // The leadership has ended: so have the locks.
      }
    } else {
      List<Part> parts =
          names.stream().map(name -> new Part(new Change(false, name, owner), null)).toList();
      join(parts);
      if (isToSend(parts)) {
        sendAll();
      }
    }
  }

  /**
   * Adds requests, and decides at once who sends: a thread that is being answered may hand over to
   * one of these right after.
   */
  private synchronized void join(List<Part> parts) {
    gathering.addAll(parts);
    if (!out && !parts.isEmpty()) {
      out = true;
      parts.get(0).sends = true;
    }
  }

  private static boolean isToSend(List<Part> parts) {
    for (Part part : parts) {
      if (part.sends) {
        part.sends = false;
        return true;
      }
    }
    return false;
  }

  /**
   * Withdraws requests. Those that are being sent stay, and so do those whose owner is to send for
   * others.
   */
  private synchronized void leave(List<Part> parts) {
    for (Part part : parts) {
      if (!part.sends && gathering.remove(part)) {
        part.answered = true;
      }
    }
  }

  /** Sends the gathered requests, until there are no more, or another waiting thread goes on. */
  private void sendAll() {
    boolean mine = true;
    while (mine) {
      List<Part> batch = take();
      boolean told = false;
      try {
        tell(batch, send(batch));
        told = true;
      } finally {
        if (!told) {
          tell(batch, Bytes.EMPTY);
        }
        mine = goesOn(told);
      }
    }
  }

  private synchronized List<Part> take() {
    int count = 0;
    long bytes = 0;
    while (count < gathering.size() && count < MOST_SENT && bytes < MOST_BYTES) {
      bytes += gathering.get(count++).change.mostBytes();
    }
    List<Part> batch = List.copyOf(gathering.subList(0, count));
    gathering = new ArrayList<>(gathering.subList(count, gathering.size()));
    return batch;
  }

  /**
   * Returns the answer, which locks were taken; empty without an answer: then the connection or the
   * leadership has ended.
   */
  private Bytes send(List<Part> batch) {
    LockMessage message = new LockMessage(batch.stream().map(part -> part.change).toList());
    try {
      return directory.connection().exchange(Frames.LOCKS, message.encode());
    } catch (TimestampUnavailableException | IOException e) {
      return Bytes.EMPTY;
    }
  }

  private static void tell(List<Part> batch, Bytes taken) {
    for (int i = 0; i < batch.size(); i++) {
      Part part = batch.get(i);
      part.taken = i < taken.length() && taken.at(i) == 1;
      part.answered = true;
      if (part.signal != null) {
        part.signal.raise();
      }
    }
  }

  /**
   * Returns whether the thread that has sent has to send again. After a failure it does not: the
   * remaining requests go with the next request.
   */
  private synchronized boolean goesOn(boolean told) {
    for (Part part : gathering) {
      if (part.signal != null) {
        part.sends = true;
        part.signal.raise();
        return false;
      }
    }
    out = told && !gathering.isEmpty();
    return out;
  }
}
