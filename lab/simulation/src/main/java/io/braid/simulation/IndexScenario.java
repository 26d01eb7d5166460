package io.braid.simulation;

import io.braid.Braid;
import io.braid.core.transaction.Protocol;
import io.braid.core.transaction.Transactions;
import io.braid.simulation.schedule.SimRandom;
import io.braid.simulation.workload.Client;
import io.braid.simulation.workload.IndexWorkload;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A table with a local index, whose tablets split, merge and move (Omid, section 6.1). Meanwhile
 * several processes write the table and query the index. They also create the index, have its parts
 * follow the tablets, drop it, and die in the middle of that. At each snapshot the index must find
 * exactly the rows of the table.
 */
final class IndexScenario implements Scenario {
  private final World world;
  private final Settings settings;
  private final OmidSettings omidSettings;
  private final boolean omid;
  private final DatabaseOpener opener;
  private final IndexWorkload workload;
  private final Fleet fleet;
  private final Balancer balancer;

  IndexScenario(World world, Settings settings) {
    this.world = world;
    this.settings = settings;
    SimRandom random = world.random().split();
    this.omid = random.nextInt(2) == 0;
    this.omidSettings = OmidSettings.drawn(random.split(), settings, world.options());
    this.opener =
        new DatabaseOpener(
            world,
            settings,
            omid ? new OmidOpener(world, omidSettings) : new PercolatorOpener(world, settings));
    this.workload = new IndexWorkload(random.split());
    this.fleet = new Fleet(world, settings, opener, this::opened, this::step);
    this.balancer = new Balancer(world, random.split(), List.of(IndexWorkload.TABLE));
  }

  @Override
  public String settings() {
    return settings + (omid ? "; " + omidSettings : "; percolator") + "; " + balancer;
  }

  @Override
  public int tablets() {
    return world.tablets(IndexWorkload.TABLE);
  }

  @Override
  public void run() {
    world.cluster().start();
    world.cluster().startManager(omidSettings.cells(), world.tampering()::manager);
    fleet.await("the manager", world.cluster()::hasManager);
    fleet.visit("prepare", this::bind, client -> {});
    fleet.start();
    balancer.start(world.cluster().keeper());
    fleet.sleep(world.options().duration());
    workload.stop();
    balancer.end();
    fleet.stopClients();
    fleet.await("who changes the index", workload::hasStopped);
    fleet.close();
    fleet.visit(
        "audit", node -> workload.audit(database(node.transactions()), node.seams()), client -> {});
    fleet.sweep();
    world.probe().checkAtRest();
  }

  private void bind(Node node) {
    Protocol protocol = omid ? Protocol.OMID : Protocol.PERCOLATOR;
    Braid db = database(node.transactions());
    db.ensureTable(IndexWorkload.TABLE, protocol, IndexWorkload.FAMILY);
    workload.split(db, IndexWorkload.PEOPLE / 2);
  }

  private Braid database(Transactions transactions) {
    return opener.of(transactions);
  }

  private void opened(Node node) {
    Braid db = database(node.transactions());
    node.seams().start("indexer", () -> workload.change(db, node.seams()));
  }

  private void step(Client client) {
    workload.step(client, database(client.transactions()));
  }

  @Override
  public List<String> judge() {
    return workload.wrong();
  }

  @Override
  public Map<String, Long> operations() {
    Map<String, Long> operations = new LinkedHashMap<>(workload.operations());
    world.probe().count(operations);
    balancer.count(operations);
    return operations;
  }
}
