package io.braid.groups.node;

import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;
import io.braid.core.runtime.Task;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Letters that have arrived. Letters of one group are processed one after another, in the order of
 * their arrival. Letters of other groups do not wait for them, as long as there are tasks enough.
 *
 * <p>A copy of a letter that waits or is being processed is dropped, as if the network had lost it.
 * So a slow node does not get the same work again from senders that repeat their requests.
 */
final class Inbox implements AutoCloseable {
  /**
   * Of how many groups at a time where the store is in the process: nothing is waited for there.
   */
  static final int NEAR = 4;

  /** Of how many where the store is far away. */
  static final int FAR = 32;

  private static final Logger LOG = LoggerFactory.getLogger(Inbox.class);
  private static final int MOST_LETTERS = 100_000;
  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final Duration STOP = Duration.ofSeconds(5);

  private final Seams seams;
  private final int mostTasks;
  private final int mostLetters;
  private final Consumer<Letter> reader;
  private final Object monitor = new Object();

  // Guarded by the monitor.
  private final Map<Long, Pile> piles = new HashMap<>();
  private final Deque<Pile> ready = new ArrayDeque<>();
  private final Deque<Signal> idle = new ArrayDeque<>();
  private final List<Task> tasks = new ArrayList<>();
  private int begun;
  private int count;
  private boolean closed;

  /** The letters of a group; the first is being dealt with unless the pile is ready. */
  private record Pile(long group, Deque<Letter> letters) {}

  /**
   * @param mostTasks how many groups' letters are dealt with at a time
   */
  Inbox(Seams seams, int mostTasks, Consumer<Letter> reader) {
    this(seams, mostTasks, MOST_LETTERS, reader);
  }

  /**
   * @param mostLetters how many wait at a time
   */
  Inbox(Seams seams, int mostTasks, int mostLetters, Consumer<Letter> reader) {
    this.seams = seams;
    this.mostTasks = mostTasks;
    this.mostLetters = mostLetters;
    this.reader = reader;
  }

  /**
   * Takes a letter; does not wait.
   *
   * @throws IllegalArgumentException when too many wait
   */
  void put(Letter letter) {
    Signal called;
    synchronized (monitor) {
      if (!add(letter)) {
        return;
      }
      called = idle.poll();
      if (called == null && begun == mostTasks) {
        return;
      }
      begun += called == null ? 1 : 0;
    }
    if (called != null) {
      called.raise();
    } else {
      begin();
    }
  }

  /** Adds a letter. Returns whether a task must be woken or started for it. */
  private boolean add(Letter letter) {
    Pile pile = piles.get(letter.message().group().number());
    if (closed || (pile != null && pile.letters.contains(letter))) {
      return false;
    }
    if (count == mostLetters) {
      throw new IllegalArgumentException("Too many letters wait.");
    }
    count++;
    if (pile != null) {
      pile.letters.add(letter);
      return false;
    }
    pile = new Pile(letter.message().group().number(), new ArrayDeque<>(2));
    pile.letters.add(letter);
    piles.put(pile.group, pile);
    ready.add(pile);
    return true;
  }

  private void begin() {
    try {
      Task task = seams.start("braid-group-inbox", this::run);
      synchronized (monitor) {
        tasks.add(task);
      }
    } catch (OutOfMemoryError e) {
      LOG.warn("The system has no thread for letters that have arrived.");
      dropUnlessOthersRead();
    }
  }

  /** Drops all letters if no task is left to read them; their senders ask again. */
  private void dropUnlessOthersRead() {
    synchronized (monitor) {
      begun--;
      if (begun == 0) {
        piles.clear();
        ready.clear();
        count = 0;
      }
    }
  }

  private void run() {
    Signal call = seams.signal();
    while (true) {
      Pile pile;
      Letter letter;
      synchronized (monitor) {
        idle.remove(call);
        if (closed) {
          return;
        }
        pile = ready.poll();
        letter = pile == null ? null : pile.letters.peek();
        if (letter == null) {
          idle.push(call);
        }
      }
      if (pile == null || letter == null) {
        call.await(LOOK);
      } else {
        read(letter);
        done(pile);
      }
    }
  }

  private void read(Letter letter) {
    try {
      reader.accept(letter);
    } catch (RuntimeException e) {
      LOG.debug("A letter could not be dealt with; its sender will ask again.", e);
    } catch (OutOfMemoryError e) {
      // For example, there is no thread to answer by. The task goes on: its place would be lost.
      LOG.warn("A letter could not be dealt with; its sender will ask again.", e);
    }
  }

  private void done(Pile pile) {
    synchronized (monitor) {
      pile.letters.remove();
      count--;
      if (pile.letters.isEmpty()) {
        piles.remove(pile.group);
      } else {
        ready.add(pile);
      }
    }
  }

  @Override
  public void close() {
    List<Task> all;
    List<Signal> waiting;
    synchronized (monitor) {
      closed = true;
      all = List.copyOf(tasks);
      waiting = List.copyOf(idle);
    }
    waiting.forEach(Signal::raise);
    long end = seams.nanoTime() + STOP.toNanos();
    all.forEach(task -> task.join(Duration.ofNanos(Math.max(0, end - seams.nanoTime()))));
  }
}
