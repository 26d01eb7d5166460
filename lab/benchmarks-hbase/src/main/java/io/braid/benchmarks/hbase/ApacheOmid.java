package io.braid.benchmarks.hbase;

import io.braid.benchmarks.Scratch;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;

/**
 * Apache Omid on the same HBase. Its transaction manager and its client are two processes with
 * Omid's own libraries. The client executes one command per line ({@code lab/omid-peer}).
 */
final class ApacheOmid implements AutoCloseable {
  private static final List<TableName> OWN_TABLES =
      List.of(TableName.valueOf("OMID_COMMIT_TABLE"), TableName.valueOf("OMID_TIMESTAMP_TABLE"));
  private static final int SECONDS_TO_START = 60;

  private static final String SETTINGS =
      """
      networkIfaceName: lo
      port: %d
      lowLatency: true
      conflictMapSize: 1000000
      timestampStoreModule: !!org.apache.omid.timestamp.storage.DefaultHBaseTimestampStorageModule [ ]
      commitTableStoreModule: !!org.apache.omid.committable.hbase.DefaultHBaseCommitTableStorageModule [ ]
      """;

  private final Scratch scratch = Scratch.create();
  private final RawHBase raw;
  private final TableName table;
  private final int port;
  private final List<Process> processes = new ArrayList<>();

  private ApacheOmid(RawHBase raw, TableName table) throws IOException {
    this.raw = raw;
    this.table = table;
    Runtime.getRuntime().addShutdownHook(new Thread(this::end));
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      this.port = free.getLocalPort();
    }
  }

  /**
   * Starts both processes and loads rows into a table of this benchmark.
   *
   * @throws IllegalStateException if another user runs Apache Omid on that cluster: Omid's own
   *     tables have the same names on every cluster
   */
  static ApacheOmid start(BenchCluster cluster, RawHBase raw, int rows) throws Exception {
    for (TableName each : OWN_TABLES) {
      if (raw.has(each)) {
        throw new IllegalStateException(
            "The cluster has a table "
                + each
                + " of Apache Omid, which this would replace: leave the parts omid and manager out,"
                + " or use another cluster.");
      }
    }
    ApacheOmid omid = new ApacheOmid(raw, cluster.table("omid_peer"));
    try {
      omid.begin(cluster.site());
      omid.ask("load " + rows);
      return omid;
    } catch (Exception e) {
      omid.close();
      throw e;
    }
  }

  private void begin(Path site) throws Exception {
    Files.copy(site, scratch.directory().resolve("hbase-site.xml"));
    Files.writeString(
        scratch.directory().resolve("omid-server-configuration.yml"), SETTINGS.formatted(port));
    raw.createVersioned(table);
    String tables = "org.apache.omid.tools.hbase.OmidTableManager";
    run(tables, "commit-table", "-numRegions", "4");
    run(tables, "timestamp-table");
    for (TableName each : OWN_TABLES) {
      raw.spread(each);
    }
    start("org.apache.omid.tso.TSOServer");
    awaitManager();
    start("io.braid.benchmarks.omid.OmidPeer", "127.0.0.1:" + port, table.getNameAsString());
  }

  private void run(String... words) throws Exception {
    if (start(words).waitFor() != 0) {
      throw failed(words[0]);
    }
  }

  private IllegalStateException failed(String what) throws IOException {
    List<String> lines =
        Files.readAllLines(scratch.directory().resolve("log"), StandardCharsets.UTF_8);
    return new IllegalStateException(
        what
            + " of Apache Omid failed:\n"
            + String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size())));
  }

  private Process start(String... words) throws IOException, URISyntaxException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx512m", "-XX:+UseSerialGC"));
    for (String each : List.of("java.lang", "java.nio", "java.util", "sun.nio.ch")) {
      command.add("--add-opens=java.base/" + each + "=ALL-UNNAMED");
    }
    command.addAll(List.of("-cp", scratch.directory() + ":" + libraries() + "/*"));
    command.addAll(List.of(words));
    Process process =
        new ProcessBuilder(command)
            .redirectError(
                ProcessBuilder.Redirect.appendTo(scratch.directory().resolve("log").toFile()))
            .start();
    processes.add(process);
    return process;
  }

  /** Returns the folder of Apache Omid's libraries, which is beside this module's own. */
  private static Path libraries() throws URISyntaxException {
    Path own =
        Path.of(ApacheOmid.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Path found = own.resolve("../../../../omid-peer/target/app").normalize();
    if (!Files.isDirectory(found)) {
      throw new IllegalStateException(
          "Apache Omid's libraries are not in " + found + ": run './braid bench hbase'.");
    }
    return found;
  }

  private void awaitManager() throws Exception {
    Process manager = processes.get(processes.size() - 1);
    for (int i = 0; i < 10 * SECONDS_TO_START && manager.isAlive(); i++) {
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 100);
        return;
      } catch (IOException e) {
        Thread.sleep(100);
      }
    }
    throw failed("The transaction manager");
  }

  /** Returns the client's measurement for a command of {@code OmidPeer}. */
  double ask(String what) throws IOException {
    Process client = processes.get(processes.size() - 1);
    PrintWriter to = new PrintWriter(client.outputWriter(StandardCharsets.UTF_8), true);
    to.println(what);
    BufferedReader from = client.inputReader(StandardCharsets.UTF_8);
    for (String line = from.readLine(); line != null; line = from.readLine()) {
      if (line.startsWith("= ")) {
        return Double.parseDouble(line.substring(2));
      }
    }
    throw failed("The client, asked for '" + what + "',");
  }

  private void end() {
    processes.forEach(Process::destroyForcibly);
  }

  @Override
  public void close() throws IOException {
    end();
    raw.drop(table);
    for (TableName each : OWN_TABLES) {
      raw.drop(each);
    }
    scratch.close();
  }
}
