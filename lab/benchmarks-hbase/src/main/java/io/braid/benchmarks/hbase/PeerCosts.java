package io.braid.benchmarks.hbase;

import static io.braid.benchmarks.hbase.BenchTables.COLUMN;
import static io.braid.benchmarks.hbase.BenchTables.OMID;
import static io.braid.benchmarks.hbase.BenchTables.PERCOLATOR;
import static io.braid.benchmarks.hbase.BenchTables.value;

import io.braid.Braid;
import io.braid.benchmarks.Comparison;
import io.braid.benchmarks.ManagerSocket;
import io.braid.benchmarks.Report;
import io.braid.core.data.Bytes;
import io.braid.core.data.Row;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.Transactions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * The same transactions with Apache Omid and with both of Braid's protocols. Apache Omid runs in
 * its low-latency mode, with its post-commit work in the background. The slices take turns, each in
 * its own process.
 */
final class PeerCosts {
  private static final String APACHE = "Apache Omid";
  private static final int FIVE = 5;
  private static final int CLIENTS = 4;
  private static final int OUTSTANDING = 2000;

  private final Report report;
  private final BenchTables tables;
  private final Map<String, Protocol> protocols = new LinkedHashMap<>();

  private record Protocol(Transactions transactions, String table) {}

  PeerCosts(Report report, Braid db, BenchTables tables) {
    this.report = report;
    this.tables = tables;
    protocols.put("Percolator", new Protocol(db.transactions(), PERCOLATOR));
    protocols.put("Omid", new Protocol(tables.omid(), OMID));
  }

  /** A transaction without its commit. */
  private interface Body {
    void run(Transaction tx, String table, SplittableRandom random);
  }

  /** Returns the bodies, by the names that Apache Omid's client knows. */
  private Map<String, Body> bodies() {
    Map<String, Body> bodies = new LinkedHashMap<>();
    bodies.put("write", this::write);
    bodies.put("read", (tx, table, random) -> read(tx, tables.row(table, random)));
    bodies.put(
        "read-modify-write",
        (tx, table, random) -> {
          Row row = tables.row(table, random);
          read(tx, row);
          tx.set(row, COLUMN, Bytes.wrap(value(random)));
        });
    bodies.put(
        "ten",
        (tx, table, random) -> {
          for (int i = 0; i < FIVE; i++) {
            read(tx, tables.row(table, random));
            write(tx, table, random);
          }
        });
    return bodies;
  }

  private void write(Transaction tx, String table, SplittableRandom random) {
    tx.set(tables.row(table, random), COLUMN, Bytes.wrap(value(random)));
  }

  private static void read(Transaction tx, Row row) {
    if (tx.get(row, COLUMN).isEmpty()) {
      throw new IllegalStateException("A row that was loaded is missing.");
    }
  }

  private static Comparison.Operation operation(Protocol protocol, Body body) {
    return random ->
        protocol.transactions.run(
            tx -> {
              body.run(tx, protocol.table, random);
              return true;
            });
  }

  void latency(ApacheOmid apache, int rounds, long slice) throws Exception {
    for (Map.Entry<String, Body> each : bodies().entrySet()) {
      String name = each.getKey();
      Latencies figures =
          new Latencies()
              .addElsewhere(APACHE, millis -> apache.ask("latency " + name + " " + millis));
      protocols.forEach((braid, of) -> figures.add(braid, operation(of, each.getValue())));
      figures.run(rounds, slice);
      figure(name, 1, APACHE, figures.median(APACHE), "us, median", 1);
      for (String braid : protocols.keySet()) {
        double ratio = figures.ratio(braid, APACHE);
        figure(name, 1, braid, figures.median(braid), "us, median", ratio);
        report.atMost(name + ", " + braid + " to " + APACHE, 0.5, ratio);
      }
    }
  }

  void throughput(ApacheOmid apache, int threads, int rounds, long slice) throws Exception {
    for (Map.Entry<String, Body> each : bodies().entrySet()) {
      throughput(
          apache,
          each.getKey(),
          each.getValue(),
          threads,
          new Comparison.Effort(rounds, slice, slice));
    }
  }

  private void throughput(
      ApacheOmid apache, String name, Body body, int threads, Comparison.Effort effort)
      throws Exception {
    int rounds = effort.rounds();
    long slice = effort.sliceMillis();
    double[] peer = new double[rounds];
    Map<String, double[]> perSecond = new LinkedHashMap<>();
    protocols.keySet().forEach(braid -> perSecond.put(braid, new double[rounds]));
    String ask = "throughput " + name + " " + threads + " ";
    apache.ask(ask + 10 * slice);
    for (int round = -2; round < rounds; round++) {
      Comparison comparison = new Comparison(threads, 1, slice).slow();
      protocols.forEach((braid, of) -> comparison.add(braid, operation(of, body)));
      Comparison.Results braids = comparison.run();
      double measured = apache.ask(ask + slice);
      if (round >= 0) {
        int at = round;
        peer[at] = measured;
        perSecond.forEach((braid, values) -> values[at] = braids.of(braid).median());
      }
    }
    figure(name, threads, APACHE, Comparison.medianOf(peer), "1/s", 1);
    for (Map.Entry<String, double[]> each : perSecond.entrySet()) {
      double[] ratios = new double[rounds];
      for (int i = 0; i < rounds; i++) {
        ratios[i] = each.getValue()[i] / peer[i];
      }
      double ratio = Comparison.medianOf(ratios);
      figure(name, threads, each.getKey(), Comparison.medianOf(each.getValue()), "1/s", ratio);
      report.atLeast(
          name + ", " + threads + " threads, " + each.getKey() + " to " + APACHE, 2, ratio);
    }
  }

  private void figure(
      String name, int threads, String who, double value, String unit, double ratio) {
    report.figure(name, Map.of("threads", threads, "system", who), value, unit, APACHE, ratio);
  }

  /** Measures the two managers alone, behind their sockets, in turns. */
  void manager(ApacheOmid apache, long millis) throws Exception {
    String to = " " + CLIENTS + " " + OUTSTANDING + " " + millis;
    List<double[]> peer = new ArrayList<>();
    List<ManagerSocket.Rates> braid = new ArrayList<>();
    for (int round = 0; round < 3; round++) {
      peer.add(new double[] {apache.ask("begins" + to), apache.ask("commits" + to)});
      braid.add(ManagerSocket.rates(report, millis, 1 << 20, OUTSTANDING));
    }
    double begins = median(peer.stream().mapToDouble(each -> each[0]).toArray());
    double commits = median(peer.stream().mapToDouble(each -> each[1]).toArray());
    double ownBegins = median(braid.stream().mapToDouble(ManagerSocket.Rates::begins).toArray());
    double ownCommits = median(braid.stream().mapToDouble(ManagerSocket.Rates::commits).toArray());
    manager("begins", APACHE, begins, 1);
    manager("begins", "Braid", ownBegins, ownBegins / begins);
    manager("commits of three cells", APACHE, commits, 1);
    manager("commits of three cells", "Braid", ownCommits, ownCommits / commits);
  }

  private static double median(double[] values) {
    return Comparison.medianOf(values);
  }

  private void manager(String name, String who, double value, double ratio) {
    report.figure(
        name + " through the socket",
        Map.of("outstanding", OUTSTANDING, "system", who),
        value,
        "1/s",
        APACHE,
        ratio);
  }
}
