package io.braid.benchmarks.hbase;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.Setting;
import io.braid.benchmarks.Scratch;
import io.braid.cli.DatabaseOptions;
import io.braid.cli.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The HBase that is measured on.
 *
 * @param own where its data lie, if it is this benchmark's own
 */
record BenchCluster(Path site, @Nullable Scratch own) implements AutoCloseable {
  static BenchCluster of(@Nullable Path site, int servers) throws IOException {
    if (site != null) {
      return new BenchCluster(site.toAbsolutePath(), null);
    }
    Scratch scratch = Scratch.create();
    BenchCluster cluster =
        new BenchCluster(
            DatabaseOptions.clusterIn(scratch.directory()).resolve("hbase-site.xml"), scratch);
    try {
      cluster.tell(scratch, "start", "--servers", String.valueOf(servers));
      return cluster;
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
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
        config
            .with(Setting.HBASE_SITE, site.toString())
            .with(Setting.HBASE_NAMESPACE, "braidbench"));
  }

  @Override
  public void close() {
    Scratch scratch = own;
    if (scratch != null) {
      tell(scratch, "stop");
      scratch.close();
    }
  }
}
