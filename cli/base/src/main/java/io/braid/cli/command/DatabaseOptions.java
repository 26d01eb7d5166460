package io.braid.cli.command;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.Setting;
import io.braid.core.store.StoreException;
import io.braid.testkit.MemoryStore;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of every verb that opens a database. */
public final class DatabaseOptions {
  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "Directory of the database, or of the cluster of 'braid dev-cluster' "
              + "(default: ${DEFAULT-VALUE}).")
  public Path data = Path.of("braid-data");

  /** The engines there are. */
  public enum Engine {
    rocksdb,
    hbase,
    memory
  }

  @Option(
      names = "--store",
      paramLabel = "ENGINE",
      description = "Where cells are kept: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  public Engine store = Engine.rocksdb;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Configuration: lines of 'key = value'. Unknown keys are refused.")
  public @Nullable Path config;

  /** Where 'braid dev-cluster' keeps a cluster, within the directory of a database. */
  public static Path clusterIn(Path data) {
    return data.resolve("cluster");
  }

  /** The configuration of verbs that work on databases in HBase only, whatever --store says. */
  public BraidConfig shared() {
    store = Engine.hbase;
    return configuration();
  }

  /** The effective configuration. */
  public BraidConfig configuration() {
    BraidConfig loaded = config == null ? BraidConfig.defaults() : BraidConfig.load(config);
    Path own = clusterIn(data).resolve("hbase-site.xml");
    boolean byItself = loaded.get(Setting.HBASE_SITE).equals(Setting.HBASE_SITE.defaultText());
    return store == Engine.hbase && byItself && Files.exists(own)
        ? loaded.with(Setting.HBASE_SITE, own.toString())
        : loaded;
  }

  /**
   * Whether --store hbase means the cluster of 'braid dev-cluster' in the directory of --data, be
   * it there yet or not: no other is configured.
   */
  public boolean isOwnCluster() {
    BraidConfig loaded = config == null ? BraidConfig.defaults() : BraidConfig.load(config);
    String site = "hbase-site.xml";
    String directory = System.getenv("HBASE_CONF_DIR");
    return store == Engine.hbase
        && loaded.get(Setting.HBASE_SITE).equals(Setting.HBASE_SITE.defaultText())
        && (Files.exists(clusterIn(data).resolve(site))
            || !(directory != null && Files.exists(Path.of(directory, site)))
                && !Files.exists(Path.of("/etc/hbase/conf", site)));
  }

  /**
   * Opens a database that is there. For verbs that could do nothing with a new one: a mistyped
   * directory is an error, not an empty database.
   */
  public Braid openExisting() {
    BraidConfig configuration = configuration();
    if (!isThere()) {
      throw new StoreException(
          "There is no database in "
              + data
              + ". Name its directory with --data, or make one with 'braid table create'.");
    }
    return open(configuration);
  }

  /**
   * Returns whether there is a database; a connection creates a database outside of the directory.
   */
  public boolean isThere() {
    return store != Engine.rocksdb || Braid.isIn(data);
  }

  /** Opens the database, creating it when there is none. */
  public Braid open() {
    return open(configuration());
  }

  /** Opens the database with a configuration that the verb has changed. */
  public Braid open(BraidConfig configuration) {
    return switch (store) {
      case rocksdb -> Braid.open(data, configuration);
      case hbase -> Braid.connect(configuration);
      case memory -> Braid.over(new MemoryStore(), configuration);
    };
  }
}
