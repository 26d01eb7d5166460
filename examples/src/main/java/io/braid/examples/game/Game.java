package io.braid.examples.game;

import io.braid.Braid;
import io.braid.groups.Group;
import io.braid.groups.GroupInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** Runs the tables, and looks at the totals from outside all the while. */
public final class Game {
  private static final long LOOK_EVERY_MILLIS = 50;

  private Game() {}

  /**
   * Plays.
   *
   * @throws RuntimeException the failure at a table
   */
  public static GameReport play(Braid db, GameOptions options, GameView view) {
    long began = System.nanoTime();
    Players.ensure(db, options.players());
    AtomicLong left = new AtomicLong(options.games());
    AtomicLong played = new AtomicLong();
    AtomicReference<RuntimeException> failure = new AtomicReference<>();
    List<GameTable> tables = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    List<GroupInfo> earlier = new ArrayList<>(db.groups().list());
    for (int i = 0; i < options.tables(); i++) {
      GameTable table = new GameTable(db, options, view, i);
      tables.add(table);
      List<GroupInfo> mine = new ArrayList<>();
      for (int g = i; g < earlier.size(); g += options.tables()) {
        mine.add(earlier.get(g));
      }
      Thread thread =
          new Thread(
              () -> {
                try {
                  mine.forEach(info -> finish(db, table, info));
                  while (left.getAndDecrement() > 0 && failure.get() == null) {
                    if (table.play()) {
                      played.incrementAndGet();
                    } else {
                      left.incrementAndGet();
                      Thread.yield();
                    }
                  }
                } catch (RuntimeException e) {
                  failure.compareAndSet(null, e);
                }
              },
              "table-" + i);
      threads.add(thread);
      thread.start();
    }
    long[] looks = watch(db, view, threads);
    RuntimeException failed = failure.get();
    if (failed != null) {
      throw failed;
    }
    return new GameReport(
        played.get(),
        tables.stream().mapToLong(GameTable::turns).sum(),
        tables.stream().mapToLong(GameTable::refusals).sum(),
        looks[0],
        looks[1],
        Players.totals(db),
        (System.nanoTime() - began) / 1e9);
  }

  /** Continues a game that was running when the program ended. */
  private static void finish(Braid db, GameTable table, GroupInfo info) {
    if (info.here()) {
      try (Group group = db.groups().open(info.name())) {
        table.goOn(group);
      }
    }
  }

  /** Returns how often the totals were looked at, and how often they did not add up. */
  private static long[] watch(Braid db, GameView view, List<Thread> threads) {
    long[] looks = new long[2];
    try {
      for (Thread thread : threads) {
        while (thread.isAlive()) {
          thread.join(LOOK_EVERY_MILLIS);
          Players.Totals totals = Players.totals(db);
          looks[0]++;
          looks[1] += totals.balanced() ? 0 : 1;
          view.looked(totals, db.groups().count());
        }
      }
    } catch (InterruptedException e) {
      threads.forEach(Thread::interrupt);
      Thread.currentThread().interrupt();
    }
    return looks;
  }
}
