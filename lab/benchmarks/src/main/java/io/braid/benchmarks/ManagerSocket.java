package io.braid.benchmarks;

import io.braid.core.cells.Families;
import io.braid.omid.manager.TransactionManager;
import io.braid.omid.manager.TransactionManager.BegunTransaction;
import io.braid.omid.manager.TransactionManager.Verdict;
import io.braid.omid.manager.WriteSet;
import io.braid.server.coordination.InProcessCoordination;
import io.braid.server.coordinator.ManagerConnection;
import io.braid.server.coordinator.Participant;
import io.braid.testkit.MemoryStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The transaction manager behind its socket, on the loopback of this machine. Load and manager
 * share the machine. Requests come in two ways: posted over two connections with many in flight, as
 * by a server with many clients; and from threads that each wait for their own answer.
 */
public final class ManagerSocket {
  private static final int CONNECTIONS = 2;
  private static final int WRITES = 3;

  private final Report report;
  private final long millis;
  private final int keys;

  ManagerSocket(Report report, long millis, int keys) {
    this.report = report;
    this.millis = millis;
    this.keys = keys;
  }

  /** Requests a second. */
  public record Rates(double begins, double commits) {}

  /**
   * Measures begins and commits alone.
   *
   * @param millis how long each is measured, after a warm-up of the same length
   * @param keys the number of cells from which each transaction writes three at random
   */
  public static Rates rates(Report report, long millis, int keys, int inFlight) throws Exception {
    ManagerSocket socket = new ManagerSocket(report, millis, keys);
    InProcessCoordination.Place place = new InProcessCoordination.Place();
    try (MemoryStore store = new MemoryStore()) {
      store.ensureTable(Families.system());
      try (Participant leader = Loopback.join(place, store, "manager", true);
          Participant client = Loopback.join(place, store, "load", false)) {
        client.oracle().next();
        int share = inFlight / CONNECTIONS;
        return new Rates(
            socket.begins(client, share).perSecond,
            socket.commits(client, leader, share).perSecond);
      }
    }
  }

  /** A message, with as many requests as it can hold. */
  private interface Message {
    void send(ManagerConnection to, SplittableRandom random);
  }

  /** Requests a second, and the times of the messages, in ns, sorted. */
  private record Speed(double perSecond, long[] nanos) {
    double micros(double quantile) {
      return nanos.length == 0 ? 0 : nanos[(int) (quantile * (nanos.length - 1))] / 1e3;
    }
  }

  void run() throws Exception {
    InProcessCoordination.Place place = new InProcessCoordination.Place();
    try (MemoryStore store = new MemoryStore()) {
      store.ensureTable(Families.system());
      try (Participant leader = Loopback.join(place, store, "manager", true);
          Participant client = Loopback.join(place, store, "load", false)) {
        client.oracle().next();
        for (int inFlight : List.of(256, 2048)) {
          int share = inFlight / CONNECTIONS;
          begun(inFlight, begins(client, share));
          committed(inFlight, commits(client, leader, share));
        }
        waiting(client, 64);
      }
    }
  }

  private Speed begins(Participant client, int share) throws Exception {
    return measure(client, share, () -> (to, random) -> to.begin(share));
  }

  private void begun(int inFlight, Speed speed) {
    figure("begin", inFlight, speed);
    if (inFlight == 256) {
      report.atLeast("begins/s through the socket", 1_000_000, speed.perSecond);
    }
  }

  private Speed commits(Participant client, Participant leader, int share) throws Exception {
    return measure(
        client,
        share,
        () -> {
          List<WriteSet> batch = new ArrayList<>();
          for (int i = 0; i < share; i++) {
            batch.add(new WriteSet());
          }
          Verdict[] verdicts = new Verdict[share];
          return (to, random) -> {
            long start = leader.oracle().lastIssued();
            batch.forEach(writes -> fill(writes.reset(start), random));
            to.commit(batch, verdicts);
          };
        });
  }

  private void committed(int inFlight, Speed speed) {
    figure("commit", inFlight, speed);
    if (inFlight == 256) {
      report.atLeast("commits/s through the socket", 400_000, speed.perSecond);
    }
  }

  private void fill(WriteSet writes, SplittableRandom random) {
    writes.addTable(1);
    for (int i = 0; i < WRITES; i++) {
      writes.add(random.nextInt(keys) * 0x9E3779B97F4A7C15L);
    }
  }

  private void figure(String name, int inFlight, Speed speed) {
    report.figure(
        name + " through the socket",
        Map.of(
            "inFlight",
            inFlight,
            "connections",
            CONNECTIONS,
            "p50_us",
            Math.round(speed.micros(0.5)),
            "p99_us",
            Math.round(speed.micros(0.99))),
        speed.perSecond,
        "1/s",
        "",
        0);
  }

  private interface Preparation {
    Message prepare();
  }

  private Speed measure(Participant client, int share, Preparation preparation) throws Exception {
    once(client, share, preparation, millis);
    return once(client, share, preparation, millis);
  }

  private static Speed once(Participant client, int share, Preparation preparation, long millis)
      throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
    try {
      List<Future<long[]>> ends = new ArrayList<>();
      for (int i = 0; i < CONNECTIONS; i++) {
        SplittableRandom random = new SplittableRandom(i);
        ends.add(
            threads.submit(
                () -> {
                  try (ManagerConnection connection = client.connect()) {
                    return post(connection, preparation.prepare(), random, millis);
                  }
                }));
      }
      List<long[]> all = new ArrayList<>();
      for (Future<long[]> end : ends) {
        all.add(end.get());
      }
      long[] nanos = all.stream().flatMapToLong(Arrays::stream).sorted().toArray();
      return new Speed(nanos.length * (double) share * 1000 / millis, nanos);
    } finally {
      threads.shutdownNow();
    }
  }

  private static long[] post(
      ManagerConnection connection, Message message, SplittableRandom random, long millis) {
    long[] nanos = new long[1 << 16];
    int count = 0;
    long begin = System.nanoTime();
    long now = begin;
    while (now - begin < millis * 1_000_000) {
      message.send(connection, random);
      long after = System.nanoTime();
      if (count == nanos.length) {
        nanos = Arrays.copyOf(nanos, count * 2);
      }
      nanos[count++] = after - now;
      now = after;
    }
    return Arrays.copyOf(nanos, count);
  }

  /** Runs threads that each begin, commit and wait for the answers. */
  private void waiting(Participant client, int threads) throws Exception {
    TransactionManager manager = client.manager();
    Comparison.Results figures =
        new Comparison(threads, 3, millis)
            .add(
                "begin and commit, a thread each",
                random -> {
                  try (BegunTransaction begun = manager.begin()) {
                    WriteSet writes = new WriteSet().reset(begun.timestamp());
                    fill(writes, random);
                    manager.commit(writes);
                  }
                })
            .run();
    report.figure(
        "begin and commit through the socket, a thread each",
        Map.of("threads", threads),
        figures.of("begin and commit, a thread each").median(),
        "1/s",
        "",
        0);
  }
}
