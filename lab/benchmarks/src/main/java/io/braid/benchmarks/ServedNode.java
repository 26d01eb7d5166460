package io.braid.benchmarks;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.SystemSeams;
import io.braid.serving.chunk.IndexKind;
import io.braid.serving.chunk.Search;
import io.braid.serving.client.ReadRequest;
import io.braid.serving.net.HttpNodeServer;
import io.braid.serving.net.HttpNodes;
import io.braid.serving.net.NodeService;
import io.braid.serving.node.NodeDirectory;
import io.braid.serving.redis.RedisAccess;
import io.braid.serving.redis.RedisServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/**
 * A node over loopback, with its clients in the same process. The benchmark measures requests a
 * second and percentiles, for one key and for a hundred keys in a request. It also measures
 * percentiles at a thousand requests a second, beside a database with SQL (the table of the paper's
 * section 5).
 */
final class ServedNode {
  private static final int THREADS = 8;
  private static final int MANY = 100;

  /** The requests a second in the table of the paper's section 5. */
  private static final int PACE = 1000;

  private static final String SQL = "H2's server";

  private final Report report;
  private final ServedData data;
  private final double seconds;

  ServedNode(Report report, ServedData data, int rounds, long slice) {
    this.report = report;
    this.data = data;
    this.seconds = rounds * slice / 1e3;
  }

  /** The client of one thread. {@code ask} returns the number of values received. */
  private interface Client extends AutoCloseable {
    int ask(List<byte[]> keys) throws Exception;

    @Override
    default void close() throws Exception {}
  }

  private interface Clients {
    Client connect() throws Exception;
  }

  void run() throws Exception {
    try (Scratch scratch = Scratch.create()) {
      Path built = scratch.child("built");
      BraidPeer.build(built, IndexKind.BUCKETS, data.tuples());
      Path directory = scratch.child("node");
      BraidPeer.serve(built, directory, Search.BINARY, 1).close();
      SystemSeams seams = new SystemSeams();
      InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
      RedisServer.Options redisOptions =
          new RedisServer.Options(
              Map.of(1, BraidPeer.STORE), RedisAccess.open(), 64, Duration.ofMinutes(1));
      try (NodeDirectory node = NodeDirectory.own(directory, seams);
          NodeService service = new NodeService(seams, node, NodeService.Options.defaults());
          SqlServer sql = SqlServer.start(scratch.child("sql"), data.bytes(), data.tuples());
          HttpNodeServer http = new HttpNodeServer(seams, service, any, "");
          RedisServer redis = new RedisServer(seams, service, any, redisOptions)) {
        String url = "http://127.0.0.1:" + http.address().getPort();
        HttpNodes nodes = new HttpNodes(Duration.ofSeconds(5));
        Clients overHttp = () -> keys -> http(nodes, url, keys);
        Clients overRedis = () -> overRedis(redis.address());
        double base = measure("HTTP", overHttp, 1, 0);
        measure("HTTP", overHttp, MANY, base);
        measure("Redis", overRedis, 1, base);
        measure("Redis", overRedis, MANY, base);
        Clients overSql = () -> overSql(sql.lookup());
        double[] beside = paced(overSql);
        paced(SQL, beside, beside);
        paced("HTTP", paced(overHttp), beside);
        paced("Redis", paced(overRedis), beside);
      }
    }
  }

  private static Client overSql(SqlServer.Lookup lookup) {
    return new Client() {
      @Override
      public int ask(List<byte[]> keys) throws SQLException {
        return lookup.get(keys);
      }

      @Override
      public void close() throws SQLException {
        lookup.close();
      }
    };
  }

  private static Client overRedis(InetSocketAddress address) throws IOException {
    RedisKeys connection = new RedisKeys(address, 1);
    return new Client() {
      @Override
      public int ask(List<byte[]> keys) throws IOException {
        return connection.get(keys);
      }

      @Override
      public void close() throws IOException {
        connection.close();
      }
    };
  }

  private static int http(HttpNodes nodes, String url, List<byte[]> keys) throws Exception {
    List<Bytes> asked = keys.stream().map(Bytes::wrap).toList();
    return (int)
        nodes.read(url, new ReadRequest(BraidPeer.STORE, asked, 0, 0)).values().stream()
            .filter(value -> value.isPresent())
            .count();
  }

  private double measure(String name, Clients clients, int keys, double base) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    try {
      once(pool, clients, keys);
      double[] micros = once(pool, clients, keys);
      double perSecond = micros.length / seconds;
      report.figure(
          "node over " + name,
          Map.of(
              "keys",
              keys,
              "threads",
              THREADS,
              "median us",
              micros[micros.length / 2],
              "99th us",
              micros[micros.length * 99 / 100]),
          perSecond,
          "requests/s",
          "node over HTTP, 1 key",
          base == 0 ? 1 : perSecond / base);
      return perSecond;
    } finally {
      pool.shutdownNow();
    }
  }

  private double[] paced(Clients clients) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    try {
      once(pool, clients, 1, PACE);
      return once(pool, clients, 1, PACE);
    } finally {
      pool.shutdownNow();
    }
  }

  private void paced(String name, double[] micros, double[] beside) {
    for (double percentile : new double[] {0.5, 0.99}) {
      double mine = micros[(int) (micros.length * percentile)];
      report.figure(
          "at " + PACE + " requests/s, " + name,
          Map.of("percentile", Math.round(percentile * 100), "threads", THREADS),
          mine,
          "us",
          SQL,
          mine / beside[(int) (beside.length * percentile)]);
    }
  }

  private double[] once(ExecutorService pool, Clients clients, int keys) throws Exception {
    return once(pool, clients, keys, 0);
  }

  /**
   * Returns the microseconds of all requests, sorted. With a pace, the time counts from each
   * request's due time.
   *
   * @param perSecond requests of all threads together; 0 for as many as they can
   */
  private double[] once(ExecutorService pool, Clients clients, int keys, int perSecond)
      throws Exception {
    List<Future<double[]>> parts = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      int seed = thread;
      parts.add(pool.submit(() -> loop(clients, keys, perSecond, seed)));
    }
    double[] all = new double[0];
    for (Future<double[]> part : parts) {
      double[] more = part.get();
      int length = all.length;
      all = Arrays.copyOf(all, length + more.length);
      System.arraycopy(more, 0, all, length, more.length);
    }
    Arrays.sort(all);
    return all;
  }

  private double[] loop(Clients clients, int keys, int perSecond, int seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    double[] micros = new double[1 << 10];
    int count = 0;
    long every = perSecond == 0 ? 0 : THREADS * 1_000_000_000L / perSecond;
    try (Client client = clients.connect()) {
      long begun = System.nanoTime();
      long due = begun + (every == 0 ? 0 : random.nextLong(every));
      for (; System.nanoTime() - begun < seconds * 1e9; count++, due += every) {
        while (every > 0 && System.nanoTime() - due < 0) {
          LockSupport.parkNanos(due - System.nanoTime());
        }
        List<byte[]> asked = new ArrayList<>(keys);
        for (int i = 0; i < keys; i++) {
          asked.add(ServedData.key(random.nextInt(data.keys())));
        }
        long sent = every > 0 ? due : System.nanoTime();
        if (client.ask(asked) != keys) {
          throw new IllegalStateException("A key that was loaded is missing.");
        }
        if (count == micros.length) {
          micros = Arrays.copyOf(micros, 2 * count);
        }
        micros[count] = (System.nanoTime() - sent) / 1e3;
      }
    }
    return Arrays.copyOf(micros, count);
  }
}
