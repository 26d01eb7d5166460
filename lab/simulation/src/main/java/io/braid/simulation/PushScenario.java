package io.braid.simulation;

import io.braid.serving.chunk.Search;
import io.braid.serving.net.NodeService;
import io.braid.simulation.cluster.Fault;
import io.braid.simulation.cluster.Faults;
import io.braid.simulation.schedule.SimRandom;
import io.braid.simulation.serving.BuiltVersions;
import io.braid.simulation.serving.PushCluster;
import io.braid.simulation.serving.PushWorkload;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Competing jobs push versions of built stores to 2 to 4 nodes, over real files; operators roll
 * them back by hand. Meanwhile nodes and jobs die and stall, and requests are lost, late and
 * repeated (Voldemort, section 4.3).
 */
final class PushScenario implements Scenario {
  private static final int REPLICAS = 2;

  private final World world;
  private final int nodes;
  private final List<String> stores;
  private final int clients;
  private final int pushers;
  private final NodeService.Options options;
  private final SimRandom random;
  private Map<String, Long> operations = Map.of();
  private List<String> wrong = List.of();

  PushScenario(World world) {
    this.world = world;
    this.random = world.random().split();
    this.nodes = 2 + random.nextInt(3);
    this.stores = List.of("jobs", "people").subList(0, 1 + random.nextInt(2));
    this.clients = 1 + random.nextInt(3);
    this.pushers = 1 + random.nextInt(2);
    int[] rates = {0, 1 << 10, 1 << 12, 1 << 15};
    this.options =
        new NodeService.Options(
            Search.BINARY, rates[random.nextInt(rates.length)], 1 << 20, 1 + random.nextInt(3), 2);
  }

  /** Calls are few: more goes wrong with each. */
  static Faults harsher(SimRandom random, Faults faults) {
    Faults harsh = faults;
    for (Fault fault : PushCluster.FAULTS) {
      boolean ofNodes = fault == Fault.PROCESS_CRASHED || fault == Fault.PROCESS_PAUSED;
      double worst = ofNodes ? 0.004 : 0.03;
      harsh = harsh.with(fault, random.nextInt(3) == 0 ? 0 : worst * random.nextDouble());
    }
    return harsh;
  }

  @Override
  public void run() {
    Path place = world.files().folder();
    PushCluster cluster =
        new PushCluster(
            world.scheduler(),
            world.faults(),
            world.cluster(),
            world.tampering(),
            nodes,
            options,
            place);
    BuiltVersions builds =
        new BuiltVersions(place.resolve("built"), cluster.topology().ring(), REPLICAS);
    PushWorkload workload =
        new PushWorkload(
            cluster,
            world.cluster().keeper().seams(),
            random.split(),
            builds,
            stores,
            clients,
            pushers);
    try {
      workload.run(world.options().duration(), () -> world.faults().quiet(false));
    } finally {
      operations = new LinkedHashMap<>(workload.watch().operations());
      operations.put("calls", cluster.calls());
      wrong = workload.watch().wrong();
      cluster.end();
    }
  }

  @Override
  public List<String> judge() {
    return wrong;
  }

  @Override
  public Map<String, Long> operations() {
    return operations;
  }

  @Override
  public int tablets() {
    return nodes;
  }

  @Override
  public String settings() {
    return nodes
        + " nodes, stores "
        + stores
        + ", "
        + pushers
        + " jobs for each, "
        + clients
        + " clients, "
        + options.backups()
        + " backups, fetches at "
        + options.fetchRate()
        + " bytes a second";
  }
}
