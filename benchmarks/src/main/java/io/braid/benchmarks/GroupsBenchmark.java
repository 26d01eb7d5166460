package io.braid.benchmarks;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.Setting;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.RowWrite;
import io.braid.groups.Group;
import io.braid.groups.GroupCreationException;
import io.braid.groups.GroupRequest;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Key groups beside the raw store: what it takes to create and delete them (figures 9 and 10 of the
 * G-Store paper), and what an operation takes with creation and deletion included (figure 11). The
 * log of the groups is as durable as the writes of the raw store.
 */
@Command(
    name = "groups",
    mixinStandardHelpOptions = true,
    description = "Creates, uses and deletes key groups, beside the raw store writing the same.")
final class GroupsBenchmark implements Callable<Integer> {
  private static final String TABLE = "players";

  /** Rows of cells without any protocol; nothing else may be in a table of transactions. */
  private static final String RAW = "raw";

  private static final Column<Bytes> VALUE = Column.of("f", "v", Codecs.bytes());
  private static final int VALUE_BYTES = 30;
  private static final int MEMBERS = 50;

  @Option(names = "--seconds", description = "For each case (default: ${DEFAULT-VALUE}).")
  double seconds = 3;

  @Option(names = "--rows", description = "Rows in the table (default: ${DEFAULT-VALUE}).")
  int rows = 300_000;

  @Option(names = "--durability", description = "buffered or synced (default: ${DEFAULT-VALUE}).")
  String durability = "synced";

  @Option(names = "--quick", description = "A first look in under a minute.")
  boolean quick;

  private final Report report = new Report("groups", System.out);

  @Override
  public Integer call() throws Exception {
    if (quick) {
      seconds = Math.min(seconds, 0.7);
      rows = Math.min(rows, 40_000);
    }
    BraidConfig config = BraidConfig.defaults().with(Setting.DURABILITY, durability);
    try (Scratch scratch = Scratch.create();
        Braid db = Braid.open(scratch.child("db"), config)) {
      load(db);
      creations(db);
      operations(db);
    }
    report.end();
    return 0;
  }

  private void load(Braid db) {
    db.ensureTable(TABLE, "f");
    db.ensureTable(RAW, "f");
    for (int from = 0; from < rows; from += 1000) {
      int first = from;
      db.run(
          tx -> {
            for (int i = first; i < Math.min(rows, first + 1000); i++) {
              tx.set(row(i), VALUE, value(i));
            }
            return 0;
          });
      List<RowWrite> same = new ArrayList<>();
      for (int i = first; i < Math.min(rows, first + 1000); i++) {
        same.add(raw(db, i));
      }
      db.store().write(same, Durability.BUFFERED);
    }
  }

  /** Figures 9 and 10: N = 0, so a group is deleted once it is there. */
  private void creations(Braid db) throws InterruptedException {
    int[] sizes =
        quick ? new int[] {10, 50, 100, 10_000} : new int[] {10, 50, 100, 10_000, 100_000};
    int[] clientCounts = quick ? new int[] {1, 20} : new int[] {1, 20, 60, 200};
    for (int size : sizes) {
      for (boolean contiguous : new boolean[] {true, false}) {
        for (int clients : clientCounts) {
          if (size <= 100 || clients == 1) {
            create(db, size, contiguous, clients);
          }
        }
      }
    }
  }

  private void create(Braid db, int size, boolean contiguous, int clients)
      throws InterruptedException {
    ConcurrentLinkedQueue<Long> latencies = new ConcurrentLinkedQueue<>();
    double took =
        inParallel(
            clients,
            random -> {
              List<Row> keys = keys(size, contiguous, random);
              long begin = System.nanoTime();
              Group group = db.group(GroupRequest.of(keys).bestEffort());
              latencies.add(System.nanoTime() - begin);
              group.close();
            });
    List<Long> sorted = latencies.stream().sorted().toList();
    Map<String, Object> params =
        Map.of(
            "keys", size,
            "choice", contiguous ? "contiguous" : "random",
            "clients", clients,
            "durability", durability);
    double median = sorted.get(sorted.size() / 2) / 1e6;
    report.figure("create, median", params, median, "ms", "", 0);
    report.figure("create, per key", params, median * 1000 / size, "us", "", 0);
    report.figure("create and delete", params, sorted.size() / took, "groups/s", "", 0);
    if (size == 50 && clients == 1 && !contiguous) {
      report.atMost("median creation of 50 random keys, ms", 20, median);
    }
  }

  /** Figure 11: 50 keys, creation and deletion included in the latency. */
  private void operations(Braid db) throws InterruptedException {
    int[] lengths = quick ? new int[] {10, 50, 100} : new int[] {10, 20, 50, 100, 200};
    int[] clientCounts = quick ? new int[] {1, 20} : new int[] {1, 20, 60};
    for (int clients : clientCounts) {
      double raw = rawWrites(db, clients);
      double transactions = transactions(db, clients);
      Map<String, Object> params = Map.of("clients", clients, "durability", durability);
      report.figure("raw store, no guarantees", params, raw, "us/op", "raw", 1);
      report.figure(
          "transactions without a group", params, transactions, "us/op", "raw", transactions / raw);
      for (int length : lengths) {
        double group = inGroups(db, clients, length);
        report.figure(
            "in a group",
            Map.of("clients", clients, "durability", durability, "operations", length),
            group,
            "us/op",
            "raw",
            group / raw);
        if (length == 100) {
          report.atMost(
              String.format(Locale.ROOT, "latency to raw, 100 operations, %d clients", clients),
              1.3,
              group / raw);
        }
      }
    }
  }

  /** Two blind writes, as an operation of a group changes two members. */
  private double rawWrites(Braid db, int clients) throws InterruptedException {
    Durability wanted = Durability.valueOf(durability.toUpperCase(Locale.ROOT));
    ConcurrentLinkedQueue<Long> latencies = new ConcurrentLinkedQueue<>();
    inParallel(
        clients,
        random -> {
          List<RowWrite> writes = new ArrayList<>();
          for (int i = 0; i < 2; i++) {
            writes.add(raw(db, random.nextInt(rows)));
          }
          long begin = System.nanoTime();
          for (Outcome<Void> outcome : db.store().write(writes, wanted)) {
            if (!(outcome instanceof Outcome.Done<Void>)) {
              throw new IllegalStateException(outcome.toString());
            }
          }
          latencies.add(System.nanoTime() - begin);
        });
    return mean(latencies);
  }

  private static RowWrite raw(Braid db, int i) {
    Row row = Row.of(RAW, row(i).key());
    return RowWrite.put(row, new Cell(VALUE.name(), db.oracle().next(), value(i)));
  }

  private double transactions(Braid db, int clients) throws InterruptedException {
    ConcurrentLinkedQueue<Long> latencies = new ConcurrentLinkedQueue<>();
    inParallel(
        clients,
        random -> {
          Row one = row(random.nextInt(rows));
          Row two = row(random.nextInt(rows));
          long begin = System.nanoTime();
          db.run(
              tx -> {
                Bytes before = tx.get(one, VALUE).orElse(Bytes.EMPTY);
                tx.set(one, VALUE, tx.get(two, VALUE).orElse(Bytes.EMPTY));
                tx.set(two, VALUE, before);
                return 0;
              });
          latencies.add(System.nanoTime() - begin);
        });
    return mean(latencies);
  }

  private double inGroups(Braid db, int clients, int length) throws InterruptedException {
    ConcurrentLinkedQueue<Long> latencies = new ConcurrentLinkedQueue<>();
    inParallel(
        clients,
        random -> {
          List<Row> keys = keys(MEMBERS, false, random);
          long begin = System.nanoTime();
          try (Group group = db.group(GroupRequest.of(keys).bestEffort())) {
            List<Row> members = List.copyOf(group.members());
            for (int i = 0; i < length; i++) {
              Row one = members.get(random.nextInt(members.size()));
              Row two = members.get(random.nextInt(members.size()));
              group.run(
                  tx -> {
                    Bytes before = tx.get(one, VALUE).orElse(Bytes.EMPTY);
                    tx.set(one, VALUE, tx.get(two, VALUE).orElse(Bytes.EMPTY));
                    tx.set(two, VALUE, before);
                    return 0;
                  });
            }
          }
          latencies.add((System.nanoTime() - begin) / length);
        });
    return mean(latencies);
  }

  private interface Work {
    void run(SplittableRandom random);
  }

  /** Repeats the work on so many threads for a while; how many seconds that took. */
  private double inParallel(int clients, Work work) throws InterruptedException {
    long begin = System.nanoTime();
    long end = begin + (long) (seconds * 1e9);
    AtomicReference<RuntimeException> failure = new AtomicReference<>();
    List<Thread> threads = new ArrayList<>();
    for (int c = 0; c < clients; c++) {
      SplittableRandom random = new SplittableRandom(c);
      Thread thread =
          new Thread(
              () -> {
                do {
                  try {
                    work.run(random);
                  } catch (GroupCreationException e) {
                    // The leader key was taken: as good as any other answer.
                  } catch (RuntimeException e) {
                    failure.compareAndSet(null, e);
                  }
                } while (System.nanoTime() < end && failure.get() == null);
              });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    RuntimeException failed = failure.get();
    if (failed != null) {
      throw failed;
    }
    return (System.nanoTime() - begin) / 1e9;
  }

  private List<Row> keys(int size, boolean contiguous, SplittableRandom random) {
    Set<Row> keys = new LinkedHashSet<>();
    int first = random.nextInt(Math.max(1, rows - size));
    for (int i = 0; keys.size() < Math.min(size, rows); i++) {
      keys.add(row(contiguous ? first + i : random.nextInt(rows)));
    }
    return List.copyOf(keys);
  }

  private static double mean(ConcurrentLinkedQueue<Long> latencies) {
    return latencies.stream().mapToLong(Long::longValue).average().orElse(Double.NaN) / 1000;
  }

  private static Row row(int number) {
    return Row.of(TABLE, String.format(Locale.ROOT, "p%08d", number));
  }

  private static Bytes value(int number) {
    return Bytes.of(String.format(Locale.ROOT, "%0" + VALUE_BYTES + "d", number));
  }
}
