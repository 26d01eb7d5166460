package io.braid.benchmarks.hbase;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.Setting;
import io.braid.benchmarks.Scratch;
import io.braid.cli.command.DatabaseOptions;
import io.braid.cli.command.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;

/**
 * The HBase to measure on. A cluster that this benchmark starts ends with this process, and its
 * data are removed. If the process is killed outright, only the data remain. On an existing
 * cluster, the benchmark uses names of its own and removes everything at the end.
 */
final class BenchCluster implements AutoCloseable {
  private final Path site;
  private final String space;

  // The directory of the data of a cluster that this benchmark starts.
  private final @Nullable Scratch own;
  private final AtomicBoolean ended = new AtomicBoolean();

  private BenchCluster(Path site, @Nullable Scratch own) {
    this.site = site;
    this.own = own;
    this.space =
        "braidbench_"
            + Long.toString(ProcessHandle.current().pid(), Character.MAX_RADIX)
            + Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);
  }

  static BenchCluster of(@Nullable Path site, int servers) throws IOException {
    if (site != null) {
      return new BenchCluster(site.toAbsolutePath(), null);
    }
    Scratch scratch = Scratch.create();
    BenchCluster cluster =
        new BenchCluster(
            DatabaseOptions.clusterIn(scratch.directory()).resolve("hbase-site.xml"), scratch);
    // On a signal, a process runs only its shutdown hooks.
    Runtime.getRuntime().addShutdownHook(new Thread(() -> cluster.endAtOnce(scratch)));
    try {
      cluster.tell(
          scratch,
          "start",
          "--servers",
          String.valueOf(servers),
          "--while",
          String.valueOf(ProcessHandle.current().pid()));
      return cluster;
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  Path site() {
    return site;
  }

  /** Returns the namespace of this benchmark's tables. */
  String space() {
    return space;
  }

  /** Returns the name of a table beside those of Braid. */
  TableName table(String name) {
    return TableName.valueOf(space + "_" + name);
  }

  Configuration configuration() {
    Configuration configuration = HBaseConfiguration.create();
    configuration.addResource(new org.apache.hadoop.fs.Path(site.toUri()));
    return configuration;
  }

  /** Returns a folder beside the data of HBase, which is as durable as HBase's log. */
  org.apache.hadoop.fs.Path logs() {
    return new org.apache.hadoop.fs.Path(
        configuration().get("hbase.rootdir") + "-" + space + "-logs");
  }

  private void removeLogs() throws IOException {
    Configuration configuration = configuration();
    logs().getFileSystem(configuration).delete(logs(), true);
  }

  /** Creates a raw table that is cut in the middle of random keys. */
  RawHBase raw() throws IOException {
    return raw("raw", new byte[] {(byte) 0x80});
  }

  /**
   * Creates a raw table.
   *
   * @param cut the first key of its second region
   */
  RawHBase raw(String name, byte[] cut) throws IOException {
    return RawHBase.create(configuration(), table(name), cut);
  }

  private void tell(Scratch scratch, String... what) {
    List<String> words = new ArrayList<>(List.of("dev-cluster"));
    words.addAll(List.of(what));
    words.addAll(List.of("--data", scratch.directory().toString()));
    int code =
        io.braid.cli.Main.commandLine()
            .setOut(new PrintWriter(System.err, true))
            .execute(words.toArray(String[]::new));
    if (code != ExitCode.DONE) {
      throw new IllegalStateException("The cluster could not be told to " + what[0] + ".");
    }
  }

  /** Connects to the database, like one of several processes. */
  Braid connect(BraidConfig config) {
    return Braid.connect(
        config.with(Setting.HBASE_SITE, site.toString()).with(Setting.HBASE_NAMESPACE, space));
  }

  /**
   * Kills the cluster's processes and removes the data. No orderly end is necessary, because the
   * data are no longer needed.
   */
  private void endAtOnce(Scratch scratch) {
    if (ended.compareAndSet(false, true)) {
      try {
        for (ProcessHandle each : Processors.of(site)) {
          each.destroyForcibly();
          each.onExit().join();
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } finally {
        scratch.close();
      }
    }
  }

  @Override
  public void close() {
    Scratch scratch = own;
    if (!ended.compareAndSet(false, true)) {
      return;
    }
    if (scratch != null) {
      tell(scratch, "stop");
      scratch.close();
      return;
    }
    try {
      RawHBase.dropSpace(configuration(), space);
      removeLogs();
    } catch (IOException e) {
      throw new UncheckedIOException("The tables of namespace " + space + " stay.", e);
    }
  }
}
