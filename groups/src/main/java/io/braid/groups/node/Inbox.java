package io.braid.groups.node;

import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;
import io.braid.core.runtime.Task;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Letters that have arrived, dealt with by several tasks: those of one group by the same task, in
 * the order in which they came.
 */
final class Inbox implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Inbox.class);
  private static final int TASKS = 4;
  private static final int MOST = 100_000;
  private static final Duration LOOK = Duration.ofMillis(200);
  private static final Duration STOP = Duration.ofSeconds(5);

  private final Consumer<Letter> reader;
  private final List<Tray> trays = new ArrayList<>();
  private volatile boolean closed;

  private final class Tray {
    private final Deque<Letter> letters = new ArrayDeque<>();
    private final Signal news;
    private final Task task;

    Tray(Seams seams, int number) {
      this.news = seams.signal();
      this.task = seams.start("braid-group-inbox-" + number, this::run);
    }

    void put(Letter letter) {
      synchronized (letters) {
        if (letters.size() >= MOST) {
          throw new IllegalArgumentException("Too many letters wait.");
        }
        letters.add(letter);
      }
      news.raise();
    }

    private @Nullable Letter next() {
      synchronized (letters) {
        return letters.poll();
      }
    }

    private void run() {
      while (!closed) {
        Letter letter = next();
        if (letter == null) {
          news.await(LOOK);
          continue;
        }
        try {
          reader.accept(letter);
        } catch (RuntimeException e) {
          LOG.debug("A letter could not be dealt with; its sender will ask again.", e);
        }
      }
    }
  }

  Inbox(Seams seams, Consumer<Letter> reader) {
    this.reader = reader;
    for (int i = 0; i < TASKS; i++) {
      trays.add(new Tray(seams, i));
    }
  }

  void put(Letter letter) {
    int tray = Long.hashCode(letter.message().group().number() * 0x9E3779B97F4A7C15L);
    trays.get(Math.floorMod(tray, TASKS)).put(letter);
  }

  @Override
  public void close() {
    closed = true;
    trays.forEach(tray -> tray.news.raise());
    trays.forEach(tray -> tray.task.join(STOP));
  }
}
