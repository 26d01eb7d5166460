package io.braid.simulation;

import io.braid.simulation.workload.Client;
import io.braid.simulation.workload.HotWorkload;
import java.util.List;
import java.util.Map;

/**
 * Few rows that all clients want, in tablets that are merged, cut and moved every few milliseconds,
 * under Percolator's protocol: what commits in one phase takes its version from clocks that have to
 * know what was served before (Omid, section 4.3).
 */
final class TabletScenario extends TransactionScenario {
  private final Settings settings;
  private final HotWorkload hot;
  private final Balancer balancer;

  TabletScenario(World world, Settings settings) {
    super(world, settings, new PercolatorOpener(world, settings), null);
    this.settings = settings;
    this.hot = new HotWorkload(journal(world));
    add(hot, new Keyed(HotWorkload.TABLE, HotWorkload.FAMILY, HotWorkload.LISTS));
    this.balancer = Balancer.restless(world, world.random().split(), List.of(HotWorkload.TABLE));
  }

  @Override
  public String settings() {
    return settings + "; " + balancer;
  }

  @Override
  protected void step(Client client) {
    if (client.random().nextInt(8) > 0) {
      hot.step(client);
    } else {
      super.step(client);
    }
  }

  @Override
  protected void accompany() {
    balancer.start(world().cluster().keeper());
  }

  @Override
  protected void settle() {
    balancer.end();
  }

  @Override
  public Map<String, Long> operations() {
    Map<String, Long> operations = super.operations();
    balancer.count(operations);
    return operations;
  }
}
