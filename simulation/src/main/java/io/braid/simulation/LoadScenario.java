package io.braid.simulation;

import io.braid.core.data.Bytes;
import io.braid.core.data.Row;
import io.braid.core.store.StoreException;
import io.braid.core.time.TimestampUnavailableException;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionException;
import io.braid.simulation.schedule.SimRandom;
import io.braid.simulation.workload.Client;
import java.time.Duration;
import java.util.ArrayList;
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
  private final Loader loader;
  private final Fleet fleet;

  LoadScenario(World world, Settings settings) {
    this.world = world;
    this.settings = settings;
    SimRandom random = world.random().split();
    this.omid = random.nextInt(2) == 0;
    this.omidSettings = OmidSettings.drawn(random.split(), settings);
    this.opener =
        omid ? new OmidOpener(world, omidSettings) : new PercolatorOpener(world, settings);
    this.journal = new LoadJournal();
    this.loader = new Loader(world, journal, random.split());
    this.fleet = new Fleet(world, settings, opener, this::opened, this::step);
  }

  @Override
  public String settings() {
    return settings + (omid ? "; " + omidSettings : "; percolator");
  }

  @Override
  public int tablets() {
    return world.memory().tablets(LoadJournal.TABLE).size();
  }

  @Override
  public void run() {
    List<Bytes> splits = new ArrayList<>();
    for (int i = 1; i < LoadJournal.KEYS; i += 2) {
      splits.add(LoadJournal.row(i).key());
    }
    world.cluster().createTable(LoadJournal.TABLE, List.of(LoadJournal.FAMILY), splits);
    world.cluster().start();
    if (omid) {
      world.cluster().startManager(omidSettings.cells(), world.tampering()::manager);
      fleet.await("the manager", world.cluster()::hasManager);
    }
    fleet.start();
    fleet.sleep(world.options().duration());
    fleet.stopClients();
    loader.stop();
    fleet.close();
    fleet.visit("last-load", loader::finish, client -> {});
    fleet.sweep();
    fleet.visit("audit", node -> {}, this::audit);
    world.probe().checkAtRest();
  }

  private void opened(Node node) {
    node.seams().start("loader", () -> loader.work(node));
  }

  private void step(Client client) {
    try {
      if (client.random().nextInt(3) == 0) {
        look(client);
      } else {
        append(client);
      }
    } catch (TransactionException | StoreException | TimestampUnavailableException e) {
      // What it came to is in the journal.
    }
  }

  private void look(Client client) {
    try (Snapshot now = client.transactions().snapshot()) {
      Map<Integer, String> seen = new LinkedHashMap<>();
      for (int key = LoadJournal.SHARED; key < LoadJournal.KEYS; key++) {
        seen.put(key, now.get(LoadJournal.row(key), LoadJournal.COLUMN).orElse(""));
      }
      journal.saw(now.timestamp(), seen);
    }
  }

  private void append(Client client) {
    int one = client.random().nextInt(LoadJournal.SHARED);
    int other = client.random().nextInt(LoadJournal.SHARED);
    List<Integer> keys = one == other ? List.of(one) : List.of(one, other);
    String element = journal.newElement();
    Transaction tx = client.transactions().begin();
    long start = tx.timestamp();
    Map<Integer, String> read = new LinkedHashMap<>();
    try (tx) {
      for (int key : keys) {
        Row row = LoadJournal.row(key);
        String list = tx.get(row, LoadJournal.COLUMN).orElse("");
        read.put(key, list);
        tx.set(row, LoadJournal.COLUMN, list + "," + element);
      }
      // Whoever dies from here on may have committed.
      journal.appends(element, start, read);
      journal.appended(start, tx.commit());
    }
  }

  private void audit(Client client) {
    boolean read = false;
    while (!read) {
      try (Snapshot now = client.transactions().snapshot()) {
        for (int key = 0; key < LoadJournal.KEYS; key++) {
          journal.ended(key, now.get(LoadJournal.row(key), LoadJournal.COLUMN).orElse(""));
        }
        read = true;
      } catch (TransactionException | StoreException | TimestampUnavailableException e) {
        client.seams().sleep(Duration.ofMillis(100));
      }
    }
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
