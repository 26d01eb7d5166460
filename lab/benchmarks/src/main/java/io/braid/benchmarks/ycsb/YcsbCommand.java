package io.braid.benchmarks.ycsb;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.braid.benchmarks.Scratch;
import io.braid.gateway.node.NodeConfig;
import io.braid.gateway.node.ServerNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import site.ycsb.ClientThread;
import site.ycsb.Workload;
import site.ycsb.WorkloadException;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

/** Runs core workloads of YCSB. */
@Command(
    name = "ycsb",
    description = {
      "Runs core workloads of YCSB: loads the records, then runs each workload.",
      "Against the embedded store and a server in this process, in directories that go afterwards;"
          + " or against the server that --server names, whose table 'usertable' is written."
    },
    mixinStandardHelpOptions = true)
public final class YcsbCommand implements Callable<Integer> {
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * The workloads: shares of reads, updates, inserts, scans and read-modify-writes, then the
   * distribution.
   */
  private static final Map<String, String> WORKLOADS =
      Map.of(
          "a", "0.5 0.5 0 0 0 zipfian",
          "b", "0.95 0.05 0 0 0 zipfian",
          "c", "1 0 0 0 0 zipfian",
          "d", "0.95 0 0.05 0 0 latest",
          "e", "0 0 0.05 0.95 0 zipfian",
          "f", "0.5 0 0 0 0.5 zipfian");

  private static final List<String> SHARES = List.of("read", "update", "insert", "scan");

  @Option(
      names = "--workloads",
      split = ",",
      description = "Of the core workloads a to f (default: a,c).")
  List<String> workloads = List.of("a", "c");

  @Option(names = "--records", description = "How many there are (default: ${DEFAULT-VALUE}).")
  int records = 10_000;

  @Option(names = "--operations", description = "Of each workload (default: ${DEFAULT-VALUE}).")
  int operations = 50_000;

  @Option(names = "--threads", description = "Default: ${DEFAULT-VALUE}.")
  int threads = 4;

  @Option(
      names = "--transaction",
      description = "Operations of a transaction (default: ${DEFAULT-VALUE}).")
  int each = 1;

  @Option(names = "--server", paramLabel = "HOST:PORT", description = "Where it answers gRPC.")
  @Nullable String server;

  @Spec @Nullable CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    for (String name : workloads) {
      if (!WORKLOADS.containsKey(name)) {
        throw new ParameterException(
            spec().commandLine(), "There is no core workload '" + name + "': they are a to f.");
      }
    }
    if (records < 1 || operations < 1 || threads < 1 || each < 1) {
      throw new ParameterException(spec().commandLine(), "Numbers begin at 1.");
    }
    boolean clean = true;
    if (server != null) {
      clean = runAll("server", Map.of(Target.SERVER, server));
    } else {
      try (Scratch scratch = Scratch.create()) {
        clean = runAll("embedded", Map.of(Target.DATA, scratch.child("data").toString()));
        try (ServerNode node = node(scratch)) {
          String at = "127.0.0.1:" + node.grpc().orElseThrow().getPort();
          clean &= runAll("server", Map.of(Target.SERVER, at));
        }
      }
    }
    return clean ? 0 : 1;
  }

  private CommandSpec spec() {
    if (spec == null) {
      throw new IllegalStateException("Picocli sets this.");
    }
    return spec;
  }

  private static ServerNode node(Scratch scratch) throws IOException {
    return new ServerNode(
        NodeConfig.load(
            Optional.empty(),
            Map.of(
                "server.listen", "127.0.0.1:0",
                "server.data", scratch.child("node").toString(),
                "server.stores", scratch.child("stores").toString())));
  }

  /** Runs all and returns whether every operation succeeded, ignoring conflicts. */
  private boolean runAll(String target, Map<String, String> where) throws Exception {
    boolean clean = run(target, "load", where, "a", false);
    for (String name : workloads) {
      clean &= run(target, name, where, name, true);
    }
    return clean;
  }

  private boolean run(
      String target, String name, Map<String, String> where, String mix, boolean transactions)
      throws WorkloadException, InterruptedException {
    Properties properties = properties(where, mix);
    Measurements.setProperties(properties);
    Workload workload = new CoreWorkload();
    workload.init(properties);
    Timed.Figures figures = new Timed.Figures();
    int count = transactions ? operations : records;
    CountDownLatch ended = new CountDownLatch(threads);
    List<Thread> all = new ArrayList<>();
    long begin = System.nanoTime();
    for (int i = 0; i < threads; i++) {
      Timed db = new Timed(new BraidDb(), figures);
      db.setProperties(properties);
      int own = count / threads + (i < count % threads ? 1 : 0);
      ClientThread client =
          new ClientThread(db, transactions, workload, properties, own, -1, ended);
      client.setThreadId(i);
      client.setThreadCount(threads);
      Thread thread = new Thread(client, "ycsb-" + i);
      all.add(thread);
      thread.start();
    }
    for (Thread each : all) {
      each.join();
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    workload.cleanup();
    print(target, name, seconds, figures);
    return figures.ends().keySet().stream()
        .allMatch(end -> end.equals("OK") || end.equals(BraidDb.CONFLICT.getName()));
  }

  private Properties properties(Map<String, String> where, String mix) {
    String[] shares = WORKLOADS.getOrDefault(mix, "").split(" ");
    Properties properties = new Properties();
    properties.putAll(where);
    properties.setProperty("recordcount", Integer.toString(records));
    properties.setProperty("operationcount", Integer.toString(operations));
    properties.setProperty("threadcount", Integer.toString(threads));
    properties.setProperty(BraidDb.OPERATIONS, Integer.toString(each));
    for (int i = 0; i < SHARES.size(); i++) {
      properties.setProperty(SHARES.get(i) + "proportion", shares[i]);
    }
    properties.setProperty("readmodifywriteproportion", shares[4]);
    properties.setProperty("requestdistribution", shares[5]);
    return properties;
  }

  private void print(String target, String name, double seconds, Timed.Figures figures) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("bench", "ycsb");
    line.put("target", target);
    line.put("workload", name);
    line.put("threads", threads);
    line.put("operations_per_transaction", each);
    long count = figures.times().values().stream().mapToLong(Histogram::getTotalCount).sum();
    line.put("operations", count);
    line.put("operations_per_second", Math.round(count / seconds));
    new TreeMap<>(figures.times())
        .forEach(
            (operation, times) -> {
              line.put(operation + "_p50_micros", times.getValueAtPercentile(50) / 1000);
              line.put(operation + "_p99_micros", times.getValueAtPercentile(99) / 1000);
            });
    new TreeMap<>(figures.ends())
        .forEach((end, times) -> line.put(end.toLowerCase(Locale.ROOT), times));
    PrintWriter out = spec().commandLine().getOut();
    try {
      out.println(JSON.writeValueAsString(line));
      out.flush();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("A line cannot be written as JSON.", e);
    }
  }
}
