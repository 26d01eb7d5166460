package io.braid.benchmarks;

import com.sun.net.httpserver.HttpServer;
import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.gateway.metrics.Telemetry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The cost of traces. The same transactions run on databases with different shares of traced
 * transactions, in turns of seconds within one run. A collector in this process discards the spans.
 */
@Command(
    name = "traces",
    mixinStandardHelpOptions = true,
    description = "Time of a transaction with none, some and all of them traced.")
final class TracesBenchmark implements Callable<Integer> {
  private static final Column<Long> BALANCE = Column.of("f", "balance", Codecs.int64());
  private static final String TABLE = "accounts";
  private static final int ACCOUNTS = 10_000;
  private static final List<Double> SHARES = List.of(0.0, 0.01, 0.1, 1.0);

  @Option(names = "--rounds", description = "Turns of each (default: ${DEFAULT-VALUE}).")
  int rounds = 15;

  @Option(names = "--seconds", description = "Of each turn (default: ${DEFAULT-VALUE}).")
  double seconds = 3;

  @Option(names = "--quick", description = "A first look in under a minute.")
  boolean quick;

  /** A database that traces a share of its transactions. */
  private record Traced(double share, Telemetry telemetry, Braid db, List<Double> micros)
      implements AutoCloseable {
    @Override
    public void close() {
      db.close();
      telemetry.close();
    }
  }

  @Override
  public Integer call() throws Exception {
    if (quick) {
      rounds = Math.min(rounds, 5);
      seconds = Math.min(seconds, 1);
    }
    HttpServer collector = collector();
    List<Traced> all = new ArrayList<>();
    try (Scratch scratch = Scratch.create()) {
      try {
        for (double share : SHARES) {
          all.add(open(scratch, share, collector.getAddress().getPort()));
        }
        SplittableRandom random = new SplittableRandom(1);
        all.forEach(each -> turn(each.db, random, seconds));
        for (int round = 0; round < rounds; round++) {
          for (int i = 0; i < all.size(); i++) {
            Traced each = all.get((round + i) % all.size());
            each.micros.add(turn(each.db, random, seconds));
          }
        }
        print(all);
      } finally {
        all.forEach(Traced::close);
      }
    } finally {
      collector.stop(0);
    }
    return 0;
  }

  private static HttpServer collector() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
    server.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.start();
    return server;
  }

  private static Traced open(Scratch scratch, double share, int port) {
    URI url = URI.create("http://127.0.0.1:" + port);
    Telemetry telemetry = Telemetry.to(new Telemetry.Target(url, Duration.ofHours(1), share));
    Braid db =
        Braid.builder()
            .config(BraidConfig.defaults())
            .telemetry(telemetry.traces())
            .open(scratch.child("db" + share));
    db.ensureTable(TABLE, "f");
    for (int from = 0; from < ACCOUNTS; from += 1_000) {
      int first = from;
      db.run(
          tx -> {
            for (int i = first; i < first + 1_000; i++) {
              tx.set(account(i), BALANCE, 100L);
            }
            return first;
          });
    }
    return new Traced(share, telemetry, db, new ArrayList<>());
  }

  private static Row account(int number) {
    return Row.of(TABLE, "account" + number);
  }

  /** Moves money between two accounts repeatedly and returns the microseconds per transaction. */
  private static double turn(Braid db, SplittableRandom random, double seconds) {
    long begin = System.nanoTime();
    long end = begin + (long) (seconds * 1e9);
    long done = 0;
    long now = begin;
    while (now < end) {
      Row from = account(random.nextInt(ACCOUNTS));
      Row to = account(random.nextInt(ACCOUNTS));
      db.run(
          tx -> {
            long source = tx.get(from, BALANCE).orElse(0L);
            long target = tx.get(to, BALANCE).orElse(0L);
            tx.set(from, BALANCE, source - 1);
            tx.set(to, BALANCE, target + 1);
            return source;
          });
      done++;
      now = System.nanoTime();
    }
    return (now - begin) / 1e3 / done;
  }

  private void print(List<Traced> all) {
    Report report = new Report("traces", System.out);
    double base = median(all.get(0).micros);
    for (Traced each : all) {
      Map<String, Object> params = new LinkedHashMap<>();
      params.put("share", each.share);
      params.put("rounds", rounds);
      params.put("seconds", seconds);
      report.figure(
          Math.round(each.share * 100) + " % traced",
          params,
          median(each.micros),
          "us/transaction",
          "0 % traced",
          median(each.micros) / base);
    }
    report.end();
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().skip(values.size() / 2).findFirst().orElse(0.0);
  }
}
