package io.braid.simulation;

import io.braid.serving.writable.MemoryEngine;
import io.braid.simulation.cluster.Fault;
import io.braid.simulation.cluster.Faults;
import io.braid.simulation.schedule.SimRandom;
import io.braid.simulation.serving.DeletionWorkload;
import io.braid.simulation.serving.ReplicaWorld;
import io.braid.simulation.serving.SetWorkload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Clients add to sets in a read-write store of five nodes (Voldemort, sections 3.1 and 4.3.2),
 * while nodes go down, messages are lost, repeated and late, sides lose sight of each other, hints
 * are delivered and, in two of three runs, partitions move; in every second one sets are imported,
 * by importers that die (Hadoop on PNUTS, section 6.2). No acknowledged addition is lost, and in
 * the end all replicas have the same. Others put and delete keys of their own, on devices whose
 * clocks are wrong: what was deleted does not come back.
 */
final class ServingScenario implements Scenario {
  private final World world;
  private final int clients;
  private final boolean moves;
  private final boolean imports;
  private final boolean empties;
  private final ReplicaWorld replicas;
  private final SetWorkload workload;
  private final DeletionWorkload deletions;

  ServingScenario(World world) {
    this.world = world;
    SimRandom random = world.random().split();
    this.clients = 1 + random.nextInt(5);
    this.moves = random.nextInt(3) > 0;
    this.imports = random.nextInt(2) == 0;
    this.empties = random.split().nextInt(4) == 0;
    this.replicas =
        new ReplicaWorld(
            world.scheduler(),
            world.faults(),
            world.cluster().keeper(),
            () -> world.tampering().engine(new MemoryEngine()));
    this.workload = new SetWorkload(replicas, clients);
    this.deletions = new DeletionWorkload(replicas, clients);
  }

  /** Calls are few: more goes wrong with each. */
  static Faults harsher(SimRandom random, Faults faults) {
    Faults harsh = faults;
    for (Fault fault : ReplicaWorld.FAULTS) {
      boolean ofNodes = fault == Fault.PROCESS_CRASHED || fault == Fault.CUT_OFF;
      double worst = ofNodes ? 0.02 : 0.1;
      harsh = harsh.with(fault, random.nextInt(3) == 0 ? 0 : worst * random.nextDouble());
    }
    return harsh;
  }

  @Override
  public void run() {
    world.faults().quiet(false);
    long end = world.scheduler().now() + world.options().duration().toNanos();
    deletions.start(done -> world.scheduler().now() < end);
    if (empties) {
      deletions.empty(done -> world.scheduler().now() < end);
    } else {
      workload.run(done -> world.scheduler().now() < end, moves, imports);
      deletions.join();
    }
    deletions.finish();
  }

  @Override
  public List<String> judge() {
    List<String> wrong = new ArrayList<>(workload.wrong());
    wrong.addAll(deletions.wrong());
    return wrong;
  }

  @Override
  public Map<String, Long> operations() {
    Map<String, Long> operations = new LinkedHashMap<>(workload.operations());
    operations.putAll(deletions.operations());
    operations.put("calls", replicas.calls());
    return operations;
  }

  @Override
  public int tablets() {
    return ReplicaWorld.PARTITIONS;
  }

  @Override
  public String settings() {
    return clients
        + " clients"
        + (empties ? ", emptied" : "")
        + (moves ? ", partitions move" : "")
        + (imports ? ", imports" : "");
  }
}
