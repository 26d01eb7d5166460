package io.braid.benchmarks.hbase;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.Setting;
import io.braid.benchmarks.Scratch;
import io.braid.cli.DatabaseOptions;
import io.braid.cli.ExitCode;
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
 * The HBase that is measured on. One that is this benchmark's own ends with this process, and goes
 * with its data, unless the process is killed outright: then only the data stay. On one that exists
 * everything has names of its own, and is removed at the end.
 */
final class BenchCluster implements AutoCloseable {
  private final Path site;
  private final String space;

  // Where the data lie of a cluster that is this benchmark's own.
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
    // Asked to end by a signal, a process runs no more than this.
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

  /** The namespace of this benchmark's tables. */
  String space() {
    return space;
  }

  /** A table beside those of Braid. */
  TableName table(String name) {
    return TableName.valueOf(space + "_" + name);
  }

  Configuration configuration() {
    Configuration configuration = HBaseConfiguration.create();
    configuration.addResource(new org.apache.hadoop.fs.Path(site.toUri()));
    return configuration;
  }

  /** A folder beside the data of HBase, so as durable as its log. */
  org.apache.hadoop.fs.Path logs() {
    return new org.apache.hadoop.fs.Path(
        configuration().get("hbase.rootdir") + "-" + space + "-logs");
  }

  private void removeLogs() throws IOException {
    Configuration configuration = configuration();
    logs().getFileSystem(configuration).delete(logs(), true);
  }

  /** A raw table that is cut in the middle of random keys. */
  RawHBase raw() throws IOException {
    return raw("raw", new byte[] {(byte) 0x80});
  }

  /**
   * A raw table.
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

  /** One of the processes on the database, as it were. */
  Braid connect(BraidConfig config) {
    return Braid.connect(
        config.with(Setting.HBASE_SITE, site.toString()).with(Setting.HBASE_NAMESPACE, space));
  }

  /** Its data are not needed any more: nothing has to end in order. */
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
