package io.braid;

import io.braid.core.net.Tls;
import io.braid.core.transaction.Limits;
import io.braid.groups.GroupOptions;
import io.braid.groups.node.Secret;
import io.braid.groups.node.Trust;
import io.braid.observers.ObserverOptions;
import io.braid.omid.OmidOptions;
import io.braid.percolator.context.PercolatorOptions;
import io.braid.percolator.garbage.CollectionOptions;
import io.braid.store.rocksdb.OnePhaseReach;
import io.braid.store.rocksdb.RocksOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Translates a configuration into the options of each strand. */
final class Options {
  private Options() {}

  static RocksOptions store(BraidConfig config) {
    return RocksOptions.defaults()
        .withMemoryBytes(config.get(Setting.STORE_MEMORY))
        .withTabletBytes(config.get(Setting.TABLET_SIZE))
        .withReach(
            config.get(Setting.ONE_PHASE) == Setting.OnePhase.TABLET
                ? OnePhaseReach.TABLET
                : OnePhaseReach.STORE);
  }

  static PercolatorOptions percolator(BraidConfig config) {
    return PercolatorOptions.defaults()
        .onePhase(config.get(Setting.ONE_PHASE) != Setting.OnePhase.OFF)
        .durability(config.get(Setting.DURABILITY))
        .lockTtl(config.get(Setting.LOCK_TTL))
        .heartbeat(config.get(Setting.LOCK_HEARTBEAT))
        .readWait(config.get(Setting.READ_WAIT))
        .maxAge(config.get(Setting.MAX_AGE))
        .savings(
            new PercolatorOptions.Savings(
                config.get(Setting.READ_CACHE),
                config.get(Setting.READ_PREFETCH) == Setting.Switch.ON,
                config.get(Setting.BATCH_DELAY),
                config.get(Setting.BATCH_MOST)))
        .limits(limits(config));
  }

  static CollectionOptions collection(BraidConfig config) {
    return CollectionOptions.defaults()
        .keep(config.get(Setting.GC_KEEP))
        .interval(config.get(Setting.GC_INTERVAL))
        .rate(config.get(Setting.GC_RATE));
  }

  static OmidOptions omid(BraidConfig config) {
    OmidOptions defaults = OmidOptions.defaults();
    return defaults
        .durability(config.get(Setting.DURABILITY))
        .maxAge(config.get(Setting.MAX_AGE))
        .onePhase(config.get(Setting.ONE_PHASE) != Setting.OnePhase.OFF)
        .grace(new OmidOptions.Grace(config.get(Setting.READ_GRACE), defaults.grace().sweep()))
        .limits(limits(config));
  }

  /** How group nodes and their clients know each other. */
  static Trust trust(BraidConfig config) {
    Optional<Path> certificate = config.get(Setting.GROUP_TLS_CERTIFICATE);
    Optional<Path> key = config.get(Setting.GROUP_TLS_KEY);
    Optional<Path> authorities = config.get(Setting.GROUP_TLS_AUTHORITIES);
    if (certificate.isPresent() != key.isPresent() || key.isPresent() != authorities.isPresent()) {
      throw new ConfigurationException(
          "TLS for groups needs groups.tls-certificate, groups.tls-key and groups.tls-authorities,"
              + " or none of them.");
    }
    try {
      return new Trust(
          config.get(Setting.GROUP_SECRET).map(Secret::read),
          certificate.map(
              each -> Tls.following(each, key.orElseThrow(), authorities.orElseThrow())),
          config.get(Setting.GROUPS_OPEN) == Setting.Switch.ON);
    } catch (IllegalArgumentException e) {
      throw new ConfigurationException(String.valueOf(e.getMessage()));
    }
  }

  static GroupOptions groups(BraidConfig config, boolean shared) {
    GroupOptions defaults = GroupOptions.defaults();
    return defaults
        .durability(config.get(Setting.DURABILITY))
        .lease(config.get(Setting.GROUP_LEASE))
        .limits(config.get(Setting.GROUP_MEMBERS), config.get(Setting.GROUPS))
        .readAhead(config.get(Setting.GROUP_READ_AHEAD))
        .memory(config.get(Setting.GROUP_MEMORY).orElse(defaults.memoryBytes()))
        .leaders(
            shared ? config.get(Setting.CLUSTER_LEASE) : Duration.ZERO,
            defaults.lookEvery(),
            defaults.sweepEvery());
  }

  static Limits limits(BraidConfig config) {
    return new Limits(
        Math.toIntExact(config.get(Setting.MAX_KEY)),
        Math.toIntExact(config.get(Setting.MAX_VALUE)),
        config.get(Setting.MAX_TRANSACTION),
        config.get(Setting.MAX_TOTAL));
  }

  static ObserverOptions observers(BraidConfig config) {
    Duration backoff = config.get(Setting.OBSERVER_BACKOFF);
    Duration longest = config.get(Setting.OBSERVER_LONGEST_BACKOFF);
    return ObserverOptions.defaults()
        .workers(config.get(Setting.OBSERVER_WORKERS))
        .attempts(config.get(Setting.OBSERVER_ATTEMPTS))
        .backoff(backoff, longest.compareTo(backoff) < 0 ? backoff : longest)
        .bounds(
            new ObserverOptions.Bounds(
                config.get(Setting.OBSERVER_ROW_RATE),
                config.get(Setting.OBSERVER_RATE),
                config.get(Setting.OBSERVER_BACKFILL_RATE)));
  }
}
