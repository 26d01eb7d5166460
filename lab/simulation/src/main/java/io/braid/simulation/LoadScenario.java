package io.braid.simulation;

import io.braid.simulation.schedule.SimRandom;
import io.braid.simulation.workload.LoadClients;
import io.braid.simulation.workload.LoadJournal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Loads that become visible as a whole, one after another, atomic ones and by files, under either
 * protocol; a process that dies over one leaves it to another. Meanwhile clients append to lists in
 * half of the rows, and read snapshots of the other half, which only loads write. Faults 44 and 45.
 */
final class LoadScenario implements Scenario {
  private final World world;
  private final Settings settings;
  private final boolean omid;
  private final OmidSettings omidSettings;
  private final Opener opener;
  private final LoadJournal journal;
  private final LoadClients clients;
  private final Loader loader;
  private final Fleet fleet;

  LoadScenario(World world, Settings settings) {
    this.world = world;
    this.settings = settings;
    SimRandom random = world.random().split();
    this.omid = random.nextInt(2) == 0;
    this.omidSettings = OmidSettings.drawn(random.split(), settings, world.options());
    this.opener =
        omid ? new OmidOpener(world, omidSettings) : new PercolatorOpener(world, settings);
    this.journal = new LoadJournal();
    this.clients = new LoadClients(journal);
    this.loader = new Loader(world, journal, random.split());
    this.fleet = new Fleet(world, settings, opener, this::opened, clients::step);
  }

  @Override
  public String settings() {
    return settings + (omid ? "; " + omidSettings : "; percolator");
  }

  @Override
  public int tablets() {
    return world.tablets(LoadJournal.TABLE);
  }

  @Override
  public void run() {
    world
        .cluster()
        .createTable(LoadJournal.TABLE, List.of(LoadJournal.FAMILY), LoadJournal.splits());
    world.cluster().start();
    if (omid) {
      world.cluster().startManager(omidSettings.cells(), world.tampering()::manager);
      fleet.await("the manager", world.cluster()::hasManager);
    }
    fleet.start();
    fleet.sleep(world.options().duration());
    fleet.stopClients();
    loader.stop();
    fleet.await("the loader", () -> !loader.isWorking());
    fleet.close();
    fleet.visit("last-load", loader::finish, client -> {});
    fleet.sweep();
    fleet.visit("audit", node -> {}, clients::audit);
    world.probe().checkAtRest();
  }

  private void opened(Node node) {
    node.seams().start("loader", () -> loader.work(node));
  }

  @Override
  public List<String> judge() {
    return journal.judge(world.probe()::commitOf);
  }

  @Override
  public Map<String, Long> operations() {
    Map<String, Long> operations = new LinkedHashMap<>(journal.counts());
    world.probe().count(operations);
    return operations;
  }
}
