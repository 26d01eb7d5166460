package io.braid.serving.rebalance;

import io.braid.core.runtime.Seams;
import io.braid.serving.NotFinishedException;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.Topology;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Moves partitions until the ring is the wanted one (section 4.3.2), batch by batch. In each batch,
 * all nodes enter the move. Nodes that get something copy it and serve it beside what they had.
 * When all have done so, all nodes get the intermediate topology. Then nodes that lost something
 * drop it. The knowledge of the nodes is the checkpoint: a run that broke off is simply run again.
 *
 * <p>The topology's version says how far a batch is. Until a node knows the new topology, giving up
 * costs nothing. If a node cannot be reached with the new topology, the others get the old ring
 * back, as a still newer version, so that no client ever goes back. Data and topology are then as
 * they were.
 */
public final class Rebalance {
  private static final Duration LOOK = Duration.ofMillis(50);

  private final Seams seams;
  private final String run;
  private final RebalanceSteps steps;
  private final Watcher watcher;

  /** Receives the progress of the rebalancing. */
  public interface Watcher {
    /**
     * @param step what is counted, in words
     * @param done how many of them
     * @param total of how many; 0 while that is not known
     */
    void at(String step, long done, long total);
  }

  /**
   * @param run a name of its own
   * @param all the nodes of the ring of now and of the one that is wanted
   */
  public Rebalance(Seams seams, String run, List<? extends RebalanceNode> all, Watcher watcher) {
    this.seams = seams;
    this.run = run;
    this.watcher = watcher;
    this.steps = new RebalanceSteps(seams, all);
  }

  /**
   * Runs until the ring is {@code target}.
   *
   * @param batch primary partitions that move together
   * @return the topology in the end
   * @throws NotFinishedException when a batch was not moved; those before it were
   */
  public Topology run(Ring target, int batch) {
    try (RebalanceLease lease = lease()) {
      recover(Optional.of(target), batch);
      while (true) {
        RebalancePlan plan = plan(target, batch);
        if (plan.batches().isEmpty()) {
          return finish(plan.current(), target);
        }
        watcher.at("partitions to move", 0, toMove(plan));
        Batch next = plan.batches().get(0);
        move(next.named("topology-" + next.to().version() + "-" + run));
      }
    }
  }

  private static int toMove(RebalancePlan plan) {
    return plan.batches().stream().mapToInt(batch -> batch.primaries().size()).sum();
  }

  /** Returns the plan of the moves to a ring. */
  public RebalancePlan plan(Ring target, int batch) {
    Map<Integer, NodeStores> inventory = inventory();
    return RebalancePlan.of(newest(inventory), target, inventory, batch);
  }

  /** Returns the state of the nodes, by their ids. */
  public Map<Integer, NodeStores> inventory() {
    Map<Integer, NodeStores> inventory = new TreeMap<>();
    unchanged(() -> steps.all("tell what it has", n -> inventory.put(n.id(), n.inventory())));
    return inventory;
  }

  /**
   * Gives a move up that was begun: data and topology become what they were before it.
   *
   * @return whether there was one
   */
  public boolean abort() {
    try (RebalanceLease lease = lease()) {
      return recover(Optional.empty(), 1);
    }
  }

  private RebalanceLease lease() {
    RebalanceLease lease = new RebalanceLease(seams, steps, run);
    try {
      unchanged(lease::take);
    } catch (NotFinishedException e) {
      lease.release();
      throw e;
    }
    return lease;
  }

  /** Something after whose failure everything is as it was. */
  private static void unchanged(Runnable work) {
    try {
      work.run();
    } catch (NotFinishedException e) {
      throw new NotFinishedException(e.getMessage() + " Nothing was changed by this.", List.of());
    }
  }

  private static Topology newest(Map<Integer, NodeStores> inventory) {
    return inventory.values().stream()
        .flatMap(node -> node.topology().stream())
        .max((a, b) -> Long.compare(a.version(), b.version()))
        .orElseThrow(() -> new IllegalArgumentException("The nodes are in no cluster."));
  }

  /**
   * Deals with what an earlier run left.
   *
   * @param target none: to give it up
   * @return whether there was anything
   */
  private boolean recover(Optional<Ring> target, int batch) {
    Map<Integer, NodeStores> inventory = inventory();
    Optional<NodeStores.Move> left =
        inventory.values().stream().flatMap(node -> node.move().stream()).findFirst();
    if (left.isEmpty()) {
      return false;
    }
    NodeStores.Move move = left.get();
    Topology newest = newest(inventory);
    if (newest.version() >= move.to().version()) {
      if (target.isEmpty() && newest.version() == move.to().version()) {
        undo(move.id(), move.from(), move.to());
      } else {
        forward(inventory, newest);
      }
    } else if (target.isPresent() && allIn(inventory, move)) {
      Batch next = RebalancePlan.of(newest, target.get(), inventory, batch).batches().get(0);
      if (next.to().equals(move.to())) {
        move(next.named(move.id()));
      } else {
        settle(move.id());
      }
    } else {
      inventory.values().stream()
          .flatMap(node -> node.move().stream())
          .map(NodeStores.Move::id)
          .distinct()
          .forEach(this::settleThose);
    }
    return true;
  }

  private static boolean allIn(Map<Integer, NodeStores> inventory, NodeStores.Move move) {
    return inventory.values().stream()
        .allMatch(node -> node.move().map(m -> m.id().equals(move.id())).orElse(false));
  }

  private void move(Batch batch) {
    try {
      steps.all("enter the move", node -> node.begin(run, batch));
      steal(batch);
    } catch (NotFinishedException e) {
      throw givenUp(e, () -> settleThose(batch.id()));
    }
    try {
      steps.all("learn the new topology", node -> tell(node, batch.to(), batch.id()));
    } catch (NotFinishedException e) {
      throw givenUp(e, () -> undo(batch.id(), batch.from(), batch.to()));
    }
    settle(batch.id());
  }

  private void steal(Batch batch) {
    Map<Integer, NodeStores> inventory = inventory();
    Map<Integer, List<StolenVersion>> byStealer = StolenVersion.byStealer(batch, inventory);
    steps.all(
        "begin to copy",
        node -> node.steal(run, batch.id(), byStealer.getOrDefault(node.id(), List.of())));
    while (true) {
      long[] bytes = new long[2];
      boolean[] ready = {true};
      steps.all("copy what comes to it", node -> look(node, batch.id(), bytes, ready));
      watcher.at("bytes copied", bytes[0], bytes[1]);
      if (ready[0]) {
        return;
      }
      seams.sleep(LOOK);
    }
  }

  private static void look(RebalanceNode node, String batch, long[] bytes, boolean[] ready)
      throws IOException {
    NodeStores.Move move =
        node.inventory()
            .move()
            .filter(m -> m.id().equals(batch))
            .orElseThrow(() -> new IllegalStateException("it has left the move."));
    if (!move.prepared() && !move.running()) {
      throw new IllegalStateException(
          move.problem().isEmpty() ? "it was started again meanwhile." : move.problem());
    }
    bytes[0] += move.fetched();
    bytes[1] += move.total();
    ready[0] &= move.prepared();
  }

  /** Gives a node the topology, unless it has this one or a newer one. */
  private void tell(RebalanceNode node, Topology topology, String batch) throws IOException {
    if (node.inventory().topologyVersion() < topology.version()) {
      node.install(topology, batch);
    }
  }

  private void forward(Map<Integer, NodeStores> inventory, Topology topology) {
    Map<Integer, String> ids = new TreeMap<>();
    inventory.forEach((node, has) -> has.move().ifPresent(move -> ids.put(node, move.id())));
    steps.all(
        "learn the new topology",
        node -> tellMember(node, topology, ids.getOrDefault(node.id(), "")));
    steps.all("close", node -> node.close(run, ids.getOrDefault(node.id(), "")));
    steps.all("settle", node -> node.settle(run, ids.getOrDefault(node.id(), "")));
  }

  private void tellMember(RebalanceNode node, Topology topology, String batch) throws IOException {
    if (topology.ring().nodes().stream().anyMatch(member -> member.id() == node.id())) {
      tell(node, topology, batch);
    }
  }

  /** Gives the old ring back, as a newer version. */
  private void undo(String batch, Topology from, Topology to) {
    List<Integer> owners = new ArrayList<>();
    for (int partition = 0; partition < from.ring().partitions(); partition++) {
      owners.add(from.ring().owner(partition).id());
    }
    Topology back = to.with(Ring.of(to.ring().nodes(), owners));
    steps.all("learn the old ring", node -> tellMember(node, back, batch));
    settle(batch);
  }

  /**
   * Ends the move on all nodes. No node settles before all have closed: until then writes go to
   * both nodes of a pair.
   */
  private void settle(String batch) {
    steps.all("close", node -> node.close(run, batch));
    steps.all("settle", node -> node.settle(run, batch));
  }

  /**
   * Ends a move of which no client can know. So nodes that do not answer need not be waited for:
   * they leave the move when they get the request.
   */
  private void settleThose(String batch) {
    steps.all(
        "leave the move",
        node -> {
          NodeStores has = node.inventory();
          if (has.move().filter(move -> move.id().equals(batch)).isPresent()) {
            node.settle(run, batch);
          }
        });
  }

  /** Tells nodes of a ring that has no more nodes than are wanted. */
  private Topology finish(Topology current, Ring target) {
    if (current.ring().equals(target)) {
      return current;
    }
    Topology last = current.with(target);
    for (Node member : target.nodes()) {
      steps
          .node(member.id())
          .ifPresent(node -> steps.each("learn the new topology", node, n -> n.install(last, "")));
    }
    return last;
  }

  private static NotFinishedException givenUp(NotFinishedException why, Runnable back) {
    try {
      back.run();
      return new NotFinishedException(
          why.getMessage() + " The batch was given up: data and topology are what they were.",
          List.of());
    } catch (NotFinishedException e) {
      return new NotFinishedException(
          why.getMessage()
              + " The batch could not be given up everywhere: "
              + e.getMessage()
              + " Run 'braid rebalance abort' when that node answers again.",
          e.unsettled());
    }
  }
}
