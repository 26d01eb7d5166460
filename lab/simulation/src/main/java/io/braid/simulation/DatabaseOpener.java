package io.braid.simulation;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.Connector;
import io.braid.Setting;
import io.braid.core.store.StoreException;
import io.braid.core.time.TimestampUnavailableException;
import io.braid.core.transaction.Transactions;
import io.braid.simulation.cluster.SimProcess;
import io.braid.simulation.cluster.Tampering;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Opens whole databases, as processes do that share one: with indexes, and duties of their own. */
final class DatabaseOpener implements Opener {
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final World world;
  private final BraidConfig config;
  private final Opener sweeper;
  private final Map<Transactions, Braid> databases = new HashMap<>();

  /**
   * @param sweeper opens the one that cleans up after all others
   */
  DatabaseOpener(World world, Settings settings, Opener sweeper) {
    this.world = world;
    this.sweeper = sweeper;
    this.config =
        BraidConfig.defaults()
            .with(Setting.ONE_PHASE, world.options().onePhase() ? "tablet" : "off")
            .with(Setting.DURABILITY, settings.synced() ? "synced" : "buffered")
            .with(Setting.LOCK_TTL, text(settings.transactions().locks().ttl()))
            .with(Setting.LOCK_HEARTBEAT, text(settings.transactions().locks().heartbeat()))
            .with(Setting.GC_KEEP, text(settings.garbage().keep()))
            .with(
                Setting.GC_INTERVAL,
                settings.garbage().collects() ? text(settings.garbage().interval()) : "off");
  }

  private static String text(Duration duration) {
    return duration.toMillis() + " ms";
  }

  /** The database whose transactions these are. */
  Braid of(Transactions transactions) {
    Braid db = databases.get(transactions);
    if (db == null) {
      throw new IllegalArgumentException("These are transactions of no database here.");
    }
    return db;
  }

  @Override
  public Node open(SimProcess process) {
    Tampering.Surroundings honest =
        new Tampering.Surroundings(world.cluster().store(process), world.cluster().oracle(process));
    Tampering.Surroundings used = world.tampering().tamper(honest);
    while (true) {
      try {
        return open(process, used);
      } catch (StoreException | TimestampUnavailableException e) {
        process.seams().sleep(PAUSE);
      }
    }
  }

  private Node open(SimProcess process, Tampering.Surroundings used) {
    Braid db =
        Braid.builder()
            .config(config)
            .over(
                new Connector.Connection(
                    used.store(),
                    used.oracle(),
                    world.cluster().manager(process, used.oracle()),
                    process.seams(),
                    () -> {}));
    databases.put(db.transactions(), db);
    Node node = new Node(process, used.store(), used.oracle(), db.transactions());
    node.closeFirst(db::close);
    return node;
  }

  @Override
  public Node visit(SimProcess process) {
    return open(process);
  }

  @Override
  public Node sweep(SimProcess process) {
    return sweeper.sweep(process);
  }
}
