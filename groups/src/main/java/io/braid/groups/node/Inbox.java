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
 * Messages that have arrived. Messages of one group are processed one after another, in the order
 * of their arrival. Messages of other groups do not wait for them, as long as there are tasks
 * enough.
 *
 * <p>A copy of a message that waits or is being processed is dropped, as if the network had lost
 * it. So a slow node does not get the same work again from senders that repeat their requests.
 */
final class Inbox implements AutoCloseable {
  /**
   * Of how many groups at a time where the store is in the process: nothing is waited for there.
   */
  static final int NEAR = 4;

  /** Of how many where the store is far away. */
  static final int FAR = 32;

  private static final Logger LOG = LoggerFactory.getLogger(Inbox.class);
  private static final int MOST_MESSAGES = 100_000;
  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final Duration STOP = Duration.ofSeconds(5);

  private final Seams seams;
  private final int mostTasks;
  private final int mostMessages;
  private final Consumer<NodeMessage> reader;
  private final Object monitor = new Object();

  // Guarded by the monitor.
  private final Map<Long, Pile> piles = new HashMap<>();
  private final Deque<Pile> ready = new ArrayDeque<>();
  private final Deque<Signal> idle = new ArrayDeque<>();
  private final List<Task> tasks = new ArrayList<>();
  private int begun;
  private int count;
  private boolean closed;

  /** The messages of a group; the first is being dealt with unless the pile is ready. */
  private record Pile(long group, Deque<NodeMessage> messages) {}

  /**
   * @param mostTasks how many groups' messages are dealt with at a time
   */
  Inbox(Seams seams, int mostTasks, Consumer<NodeMessage> reader) {
    this(seams, mostTasks, MOST_MESSAGES, reader);
  }

  /**
   * @param mostMessages how many wait at a time
   */
  Inbox(Seams seams, int mostTasks, int mostMessages, Consumer<NodeMessage> reader) {
    this.seams = seams;
    this.mostTasks = mostTasks;
    this.mostMessages = mostMessages;
    this.reader = reader;
  }

  /**
   * Takes a message; does not wait.
   *
   * @throws IllegalArgumentException when too many wait
   */
  void put(NodeMessage message) {
    Signal called;
    synchronized (monitor) {
      if (!add(message)) {
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

  /** Adds a message. Returns whether a task must be woken or started for it. */
  private boolean add(NodeMessage message) {
    Pile pile = piles.get(message.message().group().number());
    if (closed || (pile != null && pile.messages.contains(message))) {
      return false;
    }
    if (count == mostMessages) {
      throw new IllegalArgumentException("Too many messages wait.");
    }
    count++;
    if (pile != null) {
      pile.messages.add(message);
      return false;
    }
    pile = new Pile(message.message().group().number(), new ArrayDeque<>(2));
    pile.messages.add(message);
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
      LOG.warn("The system has no thread for messages that have arrived.");
      dropUnlessOthersRead();
    }
  }

  /** Drops all messages if no task is left to read them; their senders ask again. */
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
      NodeMessage message;
      synchronized (monitor) {
        idle.remove(call);
        if (closed) {
          return;
        }
        pile = ready.poll();
        message = pile == null ? null : pile.messages.peek();
        if (message == null) {
          idle.push(call);
        }
      }
      if (pile == null || message == null) {
        call.await(LOOK);
      } else {
        read(message);
        done(pile);
      }
    }
  }

  private void read(NodeMessage message) {
    try {
      reader.accept(message);
    } catch (RuntimeException e) {
      LOG.debug("A message could not be dealt with; its sender will ask again.", e);
    } catch (OutOfMemoryError e) {
      // For example, there is no thread to answer by. The task goes on: its place would be lost.
      LOG.warn("A message could not be dealt with; its sender will ask again.", e);
    }
  }

  private void done(Pile pile) {
    synchronized (monitor) {
      pile.messages.remove();
      count--;
      if (pile.messages.isEmpty()) {
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
