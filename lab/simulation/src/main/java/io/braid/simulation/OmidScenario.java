package io.braid.simulation;

import io.braid.core.time.Timestamp;
import io.braid.core.time.TimestampUnavailableException;
import io.braid.core.transaction.Transactions;
import io.braid.omid.rows.CommitEntries;
import io.braid.simulation.schedule.SimRandom;
import io.braid.simulation.workload.Client;
import io.braid.simulation.workload.FastWorkload;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Omid's protocol. Several processes run regular transactions and transactions of the fast path.
 * Meanwhile clients die in the middle of their commits, the transaction manager is lost and
 * replaced, and tablets merge and move. The condition of section 2.2 judges the fast path; strong
 * snapshot isolation judges everything else. Some processes use only the fast path: they hear
 * little of the oracle, and draw their versions from clocks alone. Runs without one-phase commit
 * leave the fast path out. Half of the other runs commit regular transactions in one phase too,
 * where possible.
 */
final class OmidScenario extends TransactionScenario {
  private static final Duration WATERMARK_PERIOD = Duration.ofMillis(300);

  private final Settings settings;
  private final OmidSettings omid;
  private final Balancer balancer;
  private final FastWorkload fast;
  private final SimRandom habits;
  private final Set<Transactions> fastOnly = new HashSet<>();
  private boolean ended;

  /**
   * @param feeds follows what is changed, if that is watched
   */
  OmidScenario(World world, Settings settings, @Nullable FeedWatch feeds) {
    this(
        world,
        settings,
        OmidSettings.drawn(world.random().split(), settings, world.options()),
        feeds);
  }

  private OmidScenario(
      World world, Settings settings, OmidSettings omid, @Nullable FeedWatch feeds) {
    super(world, settings, new OmidOpener(world, omid), feeds);
    this.settings = settings;
    this.omid = omid;
    this.fast = new FastWorkload(journal(world), settings.slots(), world.options().onePhase());
    add(fast, new Keyed(FastWorkload.TABLE, FastWorkload.FAMILY, settings.slots()));
    this.balancer = new Balancer(world, world.random().split(), names().toList());
    this.habits = world.random().split();
  }

  @Override
  public String settings() {
    return settings + "; " + omid + "; " + balancer;
  }

  @Override
  protected Stream<String> names() {
    return Stream.concat(super.names(), Stream.of(CommitEntries.TABLE));
  }

  @Override
  protected void prepare() {
    world().cluster().startManager(omid.cells(), world().tampering()::manager);
    fleet().await("the manager", world().cluster()::hasManager);
  }

  @Override
  protected void accompany() {
    balancer.start(world().cluster().keeper());
    if (!omid.watermark().isZero()) {
      world().cluster().keeper().start("watermark", this::raiseWatermark);
    }
  }

  @Override
  protected void settle() {
    ended = true;
    balancer.end();
  }

  @Override
  public Map<String, Long> operations() {
    Map<String, Long> operations = super.operations();
    balancer.count(operations);
    return operations;
  }

  @Override
  protected void joined(Node node) {
    if (world().options().onePhase() && habits.nextInt(4) == 0) {
      fastOnly.add(node.transactions());
    }
  }

  @Override
  protected void step(Client client) {
    if (fastOnly.contains(client.transactions())) {
      fast.stepFast(client);
    } else {
      super.step(client);
    }
  }

  /**
   * Raises the low watermark again and again. Transactions below the watermark are refused, and
   * entries of the commit table may go.
   */
  private void raiseWatermark() {
    while (!ended) {
      try {
        long now = world().cluster().oracle(world().cluster().keeper()).next();
        world().memory().raiseWatermark(Timestamp.before(now, omid.watermark()));
      } catch (TimestampUnavailableException e) {
        // The next round tries again.
      }
      world().cluster().keeper().seams().sleep(WATERMARK_PERIOD);
    }
  }
}
