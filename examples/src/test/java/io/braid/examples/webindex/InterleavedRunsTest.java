package io.braid.examples.webindex;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.core.cells.Families;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.examples.webindex.Loader.Loaded;
import io.braid.examples.webindex.input.RawPage;
import io.braid.examples.webindex.rebuild.Rebuild;
import io.braid.examples.webindex.rebuild.Verification;
import io.braid.examples.webindex.tables.PageId;
import io.braid.examples.webindex.tables.Pages;
import io.braid.observers.Observer;
import io.braid.testkit.MemoryStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The observers of the index under every kind of overlap that observers may have: several runs are
 * open at once, also of one observer on one row, and commit in any order. One thread chooses by a
 * seed which run begins or commits next, in place of the workers, so a failure can be repeated.
 */
class InterleavedRunsTest {
  private static final int ROUNDS = 40;
  private static final int STEPS = 40;
  private static final int OPEN = 4;
  private static final List<String> PAGES = List.of("x", "y", "z", "links");
  private static final List<String> BODIES =
      List.of(
          "twin <a href=/x>x</a>",
          "twin <a href=/x>x</a>",
          "other <a href=/y>y</a> <a href=/y>again</a>",
          "<a href=/x>x</a> <a href=/z>z</a>",
          "no links at all");

  static LongStream seeds() {
    return LongStream.rangeClosed(1, 30);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void endWithTheIndexThatARebuildMakes(long seed) throws Exception {
    try (Braid db = Braid.over(new MemoryStore(), BraidConfig.defaults())) {
      WebIndex.createTables(db);
      Schedule schedule = new Schedule(db, new Random(seed));
      for (int round = 0; round < ROUNDS; round++) {
        schedule.run();
        try (Snapshot now = db.snapshot()) {
          assertThat(Verification.differences(now, Rebuild.of(now)))
              .as("seed %d, round %d", seed, round)
              .isEmpty();
        }
      }
    }
  }

  /** Something to do: an observer whose column changed, or was notified, in a row. */
  private record Task(Observer observer, Row row) {}

  /** A run that has done all its reads and writes and has not committed. */
  private record OpenRun(Task task, Transaction tx, List<Task> follow) {}

  private static final class Schedule {
    private final Braid db;
    private final Random random;
    private final Loader loader;
    private final Set<Task> waiting = new LinkedHashSet<>();
    private final List<OpenRun> open = new ArrayList<>();

    Schedule(Braid db, Random random) {
      this.db = db;
      this.random = random;
      this.loader = new Loader(db.transactions());
    }

    void run() throws Exception {
      for (int step = 0; step < STEPS; step++) {
        int choice = random.nextInt(10);
        if (choice == 0) {
          crawl();
        } else if (choice < 6 && open.size() < OPEN && !waiting.isEmpty()) {
          begin(any(waiting));
        } else if (!open.isEmpty()) {
          commit(open.remove(random.nextInt(open.size())));
        }
      }
      while (!open.isEmpty() || !waiting.isEmpty()) {
        if (open.isEmpty()) {
          begin(waiting.iterator().next());
        }
        commit(open.remove(0));
      }
    }

    private void crawl() {
      String name = PAGES.get(random.nextInt(PAGES.size()));
      RawPage page = TestIndex.page(name, BODIES.get(random.nextInt(BODIES.size())));
      boolean changed =
          random.nextInt(4) == 0
              ? loader.remove(page.url().toString())
              : loader.load(page) != Loaded.UNCHANGED;
      if (changed) {
        waiting.addAll(
            observing(Pages.row(PageId.of(page.url().toString())), Pages.CONTENT, false));
      }
    }

    /**
     * Half of the tasks stay in the list when they are begun: they will run again, or twice at
     * once.
     */
    private void begin(Task task) throws Exception {
      if (random.nextBoolean() || open.isEmpty()) {
        waiting.remove(task);
      }
      Transaction tx = db.begin();
      List<Task> follow = new ArrayList<>();
      task.observer.body().observe(recording(tx, follow), task.row);
      if (!task.observer.weak()) {
        Column<Long> acknowledgment =
            new Column<>(
                Families.acknowledgment(task.observer.name(), task.observer.column()),
                Codecs.int64());
        tx.set(task.row, acknowledgment, tx.timestamp());
      }
      open.add(new OpenRun(task, tx, follow));
    }

    private void commit(OpenRun run) {
      try (Transaction tx = run.tx) {
        tx.commit();
        waiting.addAll(run.follow);
      } catch (ConflictException e) {
        waiting.add(run.task);
      }
    }

    private Task any(Set<Task> tasks) {
      return List.copyOf(tasks).get(random.nextInt(tasks.size()));
    }

    /** The transaction, with an eye on what its writes will cause; notifies nobody itself. */
    private static Transaction recording(Transaction tx, List<Task> follow) {
      return (Transaction)
          Proxy.newProxyInstance(
              Transaction.class.getClassLoader(),
              new Class<?>[] {Transaction.class},
              (proxy, method, arguments) -> {
                boolean weak = method.getName().equals("notifyWeakly");
                if (weak || method.getName().equals("set") || method.getName().equals("delete")) {
                  follow.addAll(observing((Row) arguments[0], (Column<?>) arguments[1], weak));
                }
                try {
                  return weak ? null : method.invoke(tx, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });
    }

    private static List<Task> observing(Row row, Column<?> column, boolean weak) {
      return WebIndex.OBSERVERS.stream()
          .filter(o -> o.table().equals(row.table()) && o.column().equals(column.name()))
          .filter(o -> o.weak() == weak)
          .map(o -> new Task(o, row))
          .toList();
    }
  }
}
