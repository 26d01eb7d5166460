package io.braid;

import static io.braid.SettingKinds.count;
import static io.braid.SettingKinds.duration;
import static io.braid.SettingKinds.file;
import static io.braid.SettingKinds.oneOf;
import static io.braid.SettingKinds.size;

import io.braid.core.store.Durability;
import io.braid.percolator.garbage.Rate;
import io.braid.text.Units;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apiguardian.api.API;

/**
 * A setting of a database, and with the constants all that there are: its key, its default and what
 * it is about stand at each, as in docs/configuration.md. {@link BraidConfig} holds their values.
 * Amounts are written with their unit: {@code 512 MiB}, {@code 10 s}; a value that is out of bounds
 * is refused with a text that says which ones are taken.
 *
 * @param <T> what the text of a value becomes: sizes in bytes, times as durations, files without a
 *     value ({@code off}) as nothing
 */
@API(status = API.Status.STABLE)
public final class Setting<T> {
  /** {@code store.memory = 512 MiB}: block cache and write buffers of the embedded store. */
  public static final Setting<Long> STORE_MEMORY =
      size(
          "store.memory",
          "512 MiB",
          "16 MiB",
          "65536 GiB",
          "Block cache and write buffers of the embedded store.");

  /** {@code store.tablet-size = 64 MiB}: a tablet that grows beyond this is split. */
  public static final Setting<Long> TABLET_SIZE =
      size(
          "store.tablet-size",
          "64 MiB",
          "64 KiB",
          "65536 GiB",
          "A tablet that grows beyond this is split.");

  /**
   * {@code commit.durability = buffered}: buffered: a commit survives the death of the process;
   * synced: of the machine too.
   */
  public static final Setting<Durability> DURABILITY =
      new Setting<>(
          "commit.durability",
          "buffered",
          "buffered: a commit survives the death of the process; synced: of the machine too.",
          SettingKinds::durability);

  /**
   * {@code commit.one-phase = store}: commit in one step when all rows lie in one tablet, in one
   * store, or never (off).
   */
  public static final Setting<OnePhase> ONE_PHASE =
      new Setting<>(
          "commit.one-phase",
          "store",
          "Commit in one step when all rows lie in one tablet, in one store, or never (off).",
          text -> oneOf(text, OnePhase.values()));

  /** {@code limits.key = 4 KiB}: the longest row key or qualifier. */
  public static final Setting<Long> MAX_KEY =
      size("limits.key", "4 KiB", "16 B", "1 MiB", "The longest row key or qualifier.");

  /** {@code limits.value = 16 MiB}: the longest value. */
  public static final Setting<Long> MAX_VALUE =
      size("limits.value", "16 MiB", "16 B", "1 GiB", "The longest value.");

  /**
   * {@code limits.transaction = 256 MiB}: memory for the writes of a transaction before it commits.
   */
  public static final Setting<Long> MAX_TRANSACTION =
      size(
          "limits.transaction",
          "256 MiB",
          "1 KiB",
          "64 GiB",
          "Memory for the writes of a transaction before it commits.");

  /**
   * {@code limits.transaction-total = 16 GiB}: all it writes; what its memory cannot hold goes into
   * the store early (Percolator).
   */
  public static final Setting<Long> MAX_TOTAL =
      size(
          "limits.transaction-total",
          "16 GiB",
          "1 KiB",
          "65536 GiB",
          "All it writes; what its memory cannot hold goes into the store early (Percolator).");

  /** {@code lock.ttl = 10 s}: a lock not refreshed for so long may be cleaned up by others. */
  public static final Setting<Duration> LOCK_TTL =
      duration(
          "lock.ttl",
          "10 s",
          "10 ms",
          "1 d",
          "A lock not refreshed for so long may be cleaned up by others.");

  /** {@code lock.heartbeat = 2 s}: how often a long commit refreshes its primary lock. */
  public static final Setting<Duration> LOCK_HEARTBEAT =
      duration(
          "lock.heartbeat",
          "2 s",
          "1 ms",
          "1 h",
          "How often a long commit refreshes its primary lock.");

  /** {@code read.wait = 30 s}: how long a reader waits for an undecided writer. */
  public static final Setting<Duration> READ_WAIT =
      duration(
          "read.wait", "30 s", "0 s", "1 d", "How long a reader waits for an undecided writer.");

  /** {@code transaction.max-age = 1 h}: a transaction that lives longer is rolled back. */
  public static final Setting<Duration> MAX_AGE =
      duration("transaction.max-age", "1 h", "A transaction that lives longer is rolled back.");

  /** {@code gc.keep = 1 d}: how far back every snapshot stays readable. */
  public static final Setting<Duration> GC_KEEP =
      duration("gc.keep", "1 d", "How far back every snapshot stays readable.");

  /**
   * {@code gc.interval = 1 h}: the pause between two garbage collections in the background, or off.
   */
  public static final Setting<Duration> GC_INTERVAL =
      new Setting<>(
          "gc.interval",
          "1 h",
          "The pause between two garbage collections in the background, or off.",
          text -> text.equalsIgnoreCase("off") ? Duration.ZERO : Units.duration(text));

  /** {@code gc.rate = 20000/s}: how fast they go: rows (10000/s), bytes (8 MiB/s), or unlimited. */
  public static final Setting<Rate> GC_RATE =
      new Setting<>(
          "gc.rate",
          "20000/s",
          "How fast they go: rows (10000/s), bytes (8 MiB/s), or unlimited.",
          Rate::parse);

  /** {@code read.cache = 64}: of how many rows a snapshot remembers what it read; 0 for none. */
  public static final Setting<Integer> READ_CACHE =
      new Setting<>(
          "read.cache",
          "64",
          "Of how many rows a snapshot remembers what it read; 0 for none.",
          text -> text.equals("0") ? 0 : Units.count(text));

  /**
   * {@code read.prefetch = on}: read columns together that are usually read one after another (on,
   * off).
   */
  public static final Setting<Switch> READ_PREFETCH =
      new Setting<>(
          "read.prefetch",
          "on",
          "Read columns together that are usually read one after another (on, off).",
          text -> oneOf(text, Switch.values()));

  /**
   * {@code batch.delay = 0 ms}: how long reads and locks of concurrent transactions wait for each
   * other (up to 10 s).
   */
  public static final Setting<Duration> BATCH_DELAY =
      duration(
          "batch.delay",
          "0 ms",
          "0 ms",
          "10 s",
          "How long reads and locks of concurrent transactions wait for each other (up to 10 s).");

  /** {@code batch.most = 256}: how many reads or locks share a call of the store at most. */
  public static final Setting<Integer> BATCH_MOST =
      count("batch.most", "256", "How many reads or locks share a call of the store at most.");

  /**
   * {@code omid.conflict-map = 16 MiB}: memory of the transaction manager, 16 bytes for each cell
   * written lately.
   */
  public static final Setting<Long> CONFLICT_MAP =
      size(
          "omid.conflict-map",
          "16 MiB",
          "1 KiB",
          "1 GiB",
          "Memory of the transaction manager, 16 bytes for each cell written lately.");

  /**
   * {@code omid.read-grace = 20 ms}: how long a reader waits for a writer before it makes it abort.
   */
  public static final Setting<Duration> READ_GRACE =
      duration(
          "omid.read-grace",
          "20 ms",
          "How long a reader waits for a writer before it makes it abort.");

  /** {@code observers.workers = 2}: tasks that run observers in this process. */
  public static final Setting<Integer> OBSERVER_WORKERS =
      count("observers.workers", "2", "Tasks that run observers in this process.");

  /**
   * {@code observers.attempts = 8}: how often an observer may throw before its change becomes a
   * dead letter.
   */
  public static final Setting<Integer> OBSERVER_ATTEMPTS =
      count(
          "observers.attempts",
          "8",
          "How often an observer may throw before its change becomes a dead letter.");

  /** {@code observers.backoff = 5 ms}: the pause after the first failure; it doubles. */
  public static final Setting<Duration> OBSERVER_BACKOFF =
      duration("observers.backoff", "5 ms", "The pause after the first failure; it doubles.");

  /** {@code observers.longest-backoff = 5 s}: the longest pause after failures. */
  public static final Setting<Duration> OBSERVER_LONGEST_BACKOFF =
      duration("observers.longest-backoff", "5 s", "The longest pause after failures.");

  /**
   * {@code observers.row-rate = 1000}: how often in a second one observer may run on one row;
   * beyond that it is held back.
   */
  public static final Setting<Integer> OBSERVER_ROW_RATE =
      count(
          "observers.row-rate",
          "1000",
          "How often in a second one observer may run on one row; beyond that it is held back.");

  /**
   * {@code observers.rate = 999999}: how often in a second one observer may run in this process.
   */
  public static final Setting<Integer> OBSERVER_RATE =
      count(
          "observers.rate",
          "999999",
          "How often in a second one observer may run in this process.");

  /** {@code observers.backfill-rate = 20000}: how many rows a backfill looks at in a second. */
  public static final Setting<Integer> OBSERVER_BACKFILL_RATE =
      count("observers.backfill-rate", "20000", "How many rows a backfill looks at in a second.");

  /**
   * {@code hbase.site = auto}: the hbase-site.xml of the cluster; auto: of HBASE_CONF_DIR, or of
   * /etc/hbase/conf.
   */
  public static final Setting<String> HBASE_SITE =
      new Setting<>(
          "hbase.site",
          "auto",
          "The hbase-site.xml of the cluster; auto: of HBASE_CONF_DIR, or of /etc/hbase/conf.",
          text -> text);

  /** {@code hbase.namespace = braid}: the namespace of HBase that holds this database. */
  public static final Setting<String> HBASE_NAMESPACE =
      new Setting<>(
          "hbase.namespace",
          "braid",
          "The namespace of HBase that holds this database.",
          SettingKinds::namespace);

  /**
   * {@code cluster.coordinator = on}: whether this process may become the coordinator (on, off).
   */
  public static final Setting<Switch> CLUSTER_COORDINATOR =
      new Setting<>(
          "cluster.coordinator",
          "on",
          "Whether this process may become the coordinator (on, off).",
          text -> oneOf(text, Switch.values()));

  /**
   * {@code cluster.address = auto}: where other processes reach this one: auto, HOST or HOST:PORT.
   */
  public static final Setting<String> CLUSTER_ADDRESS =
      new Setting<>(
          "cluster.address",
          "auto",
          "Where other processes reach this one: auto, HOST or HOST:PORT.",
          text -> text);

  /** {@code cluster.lease = 4 s}: how long there are no timestamps after a coordinator has died. */
  public static final Setting<Duration> CLUSTER_LEASE =
      duration(
          "cluster.lease",
          "4 s",
          "500 ms",
          "1 min",
          "How long there are no timestamps after a coordinator has died.");

  /**
   * {@code cluster.tls-certificate = off}: own certificate, and those that vouch for it, for TLS
   * between the processes on a database, in PEM; off: no TLS.
   */
  public static final Setting<Optional<Path>> CLUSTER_TLS_CERTIFICATE =
      file(
          "cluster.tls-certificate",
          "Own certificate, and those that vouch for it, for TLS between the processes on a"
              + " database, in PEM; off: no TLS.");

  /** {@code cluster.tls-key = off}: key of that certificate: PKCS 8, in PEM. */
  public static final Setting<Optional<Path>> CLUSTER_TLS_KEY =
      file("cluster.tls-key", "Key of that certificate: PKCS 8, in PEM.");

  /**
   * {@code cluster.tls-authorities = off}: authorities of the certificates of all others, in PEM.
   */
  public static final Setting<Optional<Path>> CLUSTER_TLS_AUTHORITIES =
      file("cluster.tls-authorities", "Authorities of the certificates of all others, in PEM.");

  /**
   * {@code cluster.open = off}: as the coordinator this process lets everybody in who reaches it
   * (on, off).
   */
  public static final Setting<Switch> CLUSTER_OPEN =
      new Setting<>(
          "cluster.open",
          "off",
          "As the coordinator this process lets everybody in who reaches it (on, off).",
          text -> oneOf(text, Switch.values()));

  /**
   * {@code groups.lease = 10 min}: a key group that was neither open nor used for so long is
   * deleted.
   */
  public static final Setting<Duration> GROUP_LEASE =
      duration(
          "groups.lease",
          "10 min",
          "1 ms",
          "3650 d",
          "A key group that was neither open nor used for so long is deleted.");

  /** {@code groups.members = 999999}: how many keys a key group may have. */
  public static final Setting<Integer> GROUP_MEMBERS =
      count("groups.members", "999999", "How many keys a key group may have.");

  /** {@code groups.most = 100000}: how many key groups a process may lead; 0: none. */
  public static final Setting<Integer> GROUPS =
      of(
          "groups.most",
          "100000",
          "How many key groups a process may lead; 0: none.",
          text -> text.equals("0") ? 0 : Units.count(text));

  /**
   * {@code groups.read-ahead = 1000}: how many members of a key group are read in one trip when one
   * is; 1: no others.
   */
  public static final Setting<Integer> GROUP_READ_AHEAD =
      count(
          "groups.read-ahead",
          "1000",
          "How many members of a key group are read in one trip when one is; 1: no others.");

  /**
   * {@code groups.memory = auto}: what all key groups of a process hold in memory of their members;
   * commits that need more are refused. auto: a quarter of the heap.
   */
  public static final Setting<Optional<Long>> GROUP_MEMORY =
      new Setting<>(
          "groups.memory",
          "auto",
          "What all key groups of a process hold in memory of their members; commits that need more"
              + " are refused. auto: a quarter of the heap.",
          text ->
              text.equalsIgnoreCase("auto") ? Optional.empty() : Optional.of(Units.bytes(text)));

  /** {@code groups.log-files = 2}: in how many files key groups log at the same time. */
  public static final Setting<Integer> GROUP_LOG_FILES =
      count("groups.log-files", "2", "In how many files key groups log at the same time.");

  /**
   * {@code groups.log-size = 16 MiB}: a file of the log of key groups that grows beyond this is
   * followed by another.
   */
  public static final Setting<Long> GROUP_LOG_SIZE =
      size(
          "groups.log-size",
          "16 MiB",
          "4 KiB",
          "1 GiB",
          "A file of the log of key groups that grows beyond this is followed by another.");

  /**
   * {@code groups.log = own}: folder that all processes of the database reach by Hadoop's client,
   * where key groups log; or own: in the directory of the database, on HBase in the store.
   */
  public static final Setting<String> GROUP_LOG =
      new Setting<>(
          "groups.log",
          "own",
          "Folder that all processes of the database reach by Hadoop's client, where key groups"
              + " log; or own: in the directory of the database, on HBase in the store.",
          text -> text);

  /**
   * {@code groups.nodes = none}: group nodes that lead the key groups: HOST:PORT,HOST:PORT; or
   * none: this process does.
   */
  public static final Setting<String> GROUP_NODES =
      new Setting<>(
          "groups.nodes",
          "none",
          "Group nodes that lead the key groups: HOST:PORT,HOST:PORT; or none: this process does.",
          text -> text);

  /**
   * {@code groups.secret = off}: file with the secret that group nodes and their clients share;
   * off: there is none.
   */
  public static final Setting<Optional<Path>> GROUP_SECRET =
      file(
          "groups.secret",
          "File with the secret that group nodes and their clients share; off: there is none.");

  /**
   * {@code groups.tls-certificate = off}: own certificate, and those that vouch for it, for TLS
   * between group nodes and clients, in PEM; off: no TLS.
   */
  public static final Setting<Optional<Path>> GROUP_TLS_CERTIFICATE =
      file(
          "groups.tls-certificate",
          "Own certificate, and those that vouch for it, for TLS between group nodes and clients,"
              + " in PEM; off: no TLS.");

  /** {@code groups.tls-key = off}: key of that certificate: PKCS 8, in PEM. */
  public static final Setting<Optional<Path>> GROUP_TLS_KEY =
      file("groups.tls-key", "Key of that certificate: PKCS 8, in PEM.");

  /**
   * {@code groups.tls-authorities = off}: authorities of the certificates of all others, in PEM.
   */
  public static final Setting<Optional<Path>> GROUP_TLS_AUTHORITIES =
      file("groups.tls-authorities", "Authorities of the certificates of all others, in PEM.");

  /** {@code groups.open = off}: group nodes let everybody in who reaches them (on, off). */
  public static final Setting<Switch> GROUPS_OPEN =
      new Setting<>(
          "groups.open",
          "off",
          "Group nodes let everybody in who reaches them (on, off).",
          text -> oneOf(text, Switch.values()));

  private static final List<Setting<?>> ALL =
      List.of(
          STORE_MEMORY,
          TABLET_SIZE,
          DURABILITY,
          ONE_PHASE,
          MAX_KEY,
          MAX_VALUE,
          MAX_TRANSACTION,
          MAX_TOTAL,
          LOCK_TTL,
          LOCK_HEARTBEAT,
          READ_WAIT,
          CONFLICT_MAP,
          READ_GRACE,
          MAX_AGE,
          GC_KEEP,
          GC_INTERVAL,
          GC_RATE,
          READ_CACHE,
          READ_PREFETCH,
          BATCH_DELAY,
          BATCH_MOST,
          OBSERVER_WORKERS,
          OBSERVER_ATTEMPTS,
          OBSERVER_BACKOFF,
          OBSERVER_LONGEST_BACKOFF,
          OBSERVER_ROW_RATE,
          OBSERVER_RATE,
          OBSERVER_BACKFILL_RATE,
          HBASE_SITE,
          HBASE_NAMESPACE,
          CLUSTER_COORDINATOR,
          CLUSTER_ADDRESS,
          CLUSTER_LEASE,
          CLUSTER_TLS_CERTIFICATE,
          CLUSTER_TLS_KEY,
          CLUSTER_TLS_AUTHORITIES,
          CLUSTER_OPEN,
          GROUP_LEASE,
          GROUP_MEMBERS,
          GROUPS,
          GROUP_READ_AHEAD,
          GROUP_MEMORY,
          GROUP_LOG_FILES,
          GROUP_LOG_SIZE,
          GROUP_LOG,
          GROUP_NODES,
          GROUP_SECRET,
          GROUP_TLS_CERTIFICATE,
          GROUP_TLS_KEY,
          GROUP_TLS_AUTHORITIES,
          GROUPS_OPEN);

  /** The values of settings that are on or off. */
  public enum Switch {
    OFF,
    ON
  }

  /** Where one-phase commit is used; values of {@link #ONE_PHASE}. */
  public enum OnePhase {
    /** Nowhere: every commit goes in two phases. */
    OFF,
    /** When all rows of a transaction lie in one tablet. */
    TABLET,
    /** When one procedure of the store reaches all rows; of an embedded one it always does. */
    STORE
  }

  private final String key;
  private final String defaultText;
  private final String description;
  private final Function<String, T> parser;

  private Setting(String key, String defaultText, String description, Function<String, T> parser) {
    this.key = key;
    this.defaultText = defaultText;
    this.description = description;
    this.parser = parser;
  }

  /**
   * A setting of something else that is configured in the same way; no {@link BraidConfig} has it.
   *
   * @param parser throws {@link IllegalArgumentException} that says what to write
   */
  public static <T> Setting<T> of(
      String key, String defaultText, String description, Function<String, T> parser) {
    return new Setting<>(key, defaultText, description, parser);
  }

  /** All settings of a database, in the order of the documentation. */
  public static List<Setting<?>> all() {
    return ALL;
  }

  static Optional<Setting<?>> named(String key) {
    return ALL.stream().filter(s -> s.key.equals(key)).findFirst();
  }

  /** Its name in files and messages, such as {@code store.memory}. */
  public String key() {
    return key;
  }

  /** The value that it has unless another is given, as it is written. */
  public String defaultText() {
    return defaultText;
  }

  /** Returns the description, in a sentence. */
  public String description() {
    return description;
  }

  /**
   * Returns the value that a text means.
   *
   * @throws ConfigurationException when it is no value of this kind
   */
  public T parse(String text) {
    try {
      return parser.apply(text.strip());
    } catch (IllegalArgumentException e) {
      throw new ConfigurationException(
          "'" + text + "' is no value for " + key + ": " + e.getMessage());
    }
  }

  @Override
  public String toString() {
    return key;
  }
}
