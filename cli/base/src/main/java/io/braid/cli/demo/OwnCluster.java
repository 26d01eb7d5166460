package io.braid.cli.demo;

import io.braid.cli.command.DatabaseOptions;
import io.braid.cli.command.UsageException;
import java.nio.file.Path;
import java.util.ServiceLoader;
import java.util.function.Consumer;

/**
 * The cluster of {@code braid dev-cluster}, for verbs that bring their own. It comes with the
 * artifact that knows HBase, found by {@link ServiceLoader}.
 */
public interface OwnCluster {
  /**
   * Starts what of the cluster does not run, and waits until it answers.
   *
   * @param data its directory is {@link DatabaseOptions#clusterIn within} this one
   * @param servers how many region servers it has at least
   * @param say takes lines for a person
   */
  void start(Path data, int servers, Consumer<String> say);

  /**
   * Kills (SIGKILL) the region server that has the first row of a table.
   *
   * @return its name
   */
  String killServer(Path data, String table);

  /**
   * @throws UsageException when this command was built without it
   */
  static OwnCluster find() {
    return ServiceLoader.load(OwnCluster.class)
        .findFirst()
        .orElseThrow(
            () -> new UsageException("This command was built without HBase: use ./braid."));
  }
}
