package io.braid.serving.rebalance;

import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;
import io.braid.core.runtime.Task;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.Topology;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Moves partitions until the ring is the one that is wanted (section 4.3.2), batch by batch. In
 * each, all nodes enter the move; those that get something copy it and serve it beside what they
 * had; when all have done so, all are told the intermediate topology; then those that lost
 * something drop it. What the nodes know is the checkpoint: a run that broke off is simply run
 * again.
 *
 * <p>The topology's version tells how far a batch is. Until a node knows the new one, giving up
 * costs nothing. If one cannot be told, the others get the old ring back, as a still newer version,
 * so that no client ever goes back; data and topology are then what they were.
 */
public final class Rebalance {
  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final Duration RENEW = Duration.ofSeconds(8);
  private static final Duration LOOK = Duration.ofMillis(50);
  private static final int TRIES = 3;

  private final Seams seams;
  private final String run;
  private final Map<Integer, RebalanceNode> nodes = new TreeMap<>();
  private final Watcher watcher;

  /** Is told how far it is. */
  public interface Watcher {
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
    all.forEach(node -> nodes.put(node.id(), node));
  }

  /** What a node is asked to do. */
  private interface Step {
    void on(RebalanceNode node) throws IOException;
  }

  /**
   * Runs until the ring is {@code target}.
   *
   * @param batch primary partitions that move together
   * @return the topology in the end
   * @throws RebalanceFailedException when a batch was not moved; those before it were
   */
  public Topology run(Ring target, int batch) {
    try (Lease lease = new Lease()) {
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

  /** What there is to do. */
  public RebalancePlan plan(Ring target, int batch) {
    Map<Integer, NodeStores> inventory = inventory();
    return RebalancePlan.of(newest(inventory), target, inventory, batch);
  }

  /** What the nodes have, by ids. */
  public Map<Integer, NodeStores> inventory() {
    Map<Integer, NodeStores> inventory = new TreeMap<>();
    unchanged(() -> all("tell what it has", n -> inventory.put(n.id(), n.inventory())));
    return inventory;
  }

  /**
   * Gives a move up that was begun: data and topology become what they were before it.
   *
   * @return whether there was one
   */
  public boolean abort() {
    try (Lease lease = new Lease()) {
      return recover(Optional.empty(), 1);
    }
  }

  /** Something after whose failure everything is as it was. */
  private static void unchanged(Runnable steps) {
    try {
      steps.run();
    } catch (RebalanceFailedException e) {
      throw new RebalanceFailedException(
          e.getMessage() + " Nothing was changed by this.", List.of());
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
      all("enter the move", node -> node.begin(run, batch));
      steal(batch);
    } catch (RebalanceFailedException e) {
      throw givenUp(e, () -> settleThose(batch.id()));
    }
    try {
      all("learn the new topology", node -> tell(node, batch.to(), batch.id()));
    } catch (RebalanceFailedException e) {
      throw givenUp(e, () -> undo(batch.id(), batch.from(), batch.to()));
    }
    settle(batch.id());
  }

  private void steal(Batch batch) {
    Map<Integer, NodeStores> inventory = inventory();
    Map<Integer, List<StolenVersion>> byStealer = stolen(batch, inventory);
    all(
        "begin to copy",
        node -> node.steal(run, batch.id(), byStealer.getOrDefault(node.id(), List.of())));
    while (true) {
      long[] bytes = new long[2];
      boolean[] ready = {true};
      all("copy what comes to it", node -> look(node, batch.id(), bytes, ready));
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
          move.problem().isEmpty() ? "it was started anew meanwhile." : move.problem());
    }
    bytes[0] += move.fetched();
    bytes[1] += move.total();
    ready[0] &= move.prepared();
  }

  private Map<Integer, List<StolenVersion>> stolen(
      Batch batch, Map<Integer, NodeStores> inventory) {
    Map<String, List<Long>> served = new TreeMap<>();
    inventory
        .values()
        .forEach(node -> node.stores().forEach(s -> served.putIfAbsent(s.name(), s.served())));
    Map<Integer, Map<String, StolenVersion>> byStealer = new TreeMap<>();
    for (Batch.Theft theft : batch.thefts()) {
      if (theft.version() > 0) {
        Map<Integer, String> donors = new TreeMap<>();
        String address = batch.from().ring().node(theft.donor()).address();
        theft.partitions().forEach(partition -> donors.put(partition, address));
        byStealer
            .computeIfAbsent(theft.stealer(), s -> new LinkedHashMap<>())
            .merge(
                theft.store() + "/" + theft.version(),
                new StolenVersion(
                    theft.store(),
                    theft.version(),
                    served.getOrDefault(theft.store(), List.of()),
                    donors),
                Rebalance::both);
      }
    }
    Map<Integer, List<StolenVersion>> lists = new TreeMap<>();
    byStealer.forEach((stealer, versions) -> lists.put(stealer, List.copyOf(versions.values())));
    return lists;
  }

  private static StolenVersion both(StolenVersion one, StolenVersion other) {
    Map<Integer, String> donors = new TreeMap<>(one.donors());
    donors.putAll(other.donors());
    return new StolenVersion(one.store(), one.version(), one.served(), donors);
  }

  /** A node that has the topology, or a newer one, needs not be told. */
  private void tell(RebalanceNode node, Topology topology, String batch) throws IOException {
    if (node.inventory().topologyVersion() < topology.version()) {
      node.install(topology, batch);
    }
  }

  private void forward(Map<Integer, NodeStores> inventory, Topology topology) {
    Map<Integer, String> ids = new TreeMap<>();
    inventory.forEach((node, has) -> has.move().ifPresent(move -> ids.put(node, move.id())));
    all(
        "learn the new topology",
        node -> tellMember(node, topology, ids.getOrDefault(node.id(), "")));
    all("close", node -> node.close(run, ids.getOrDefault(node.id(), "")));
    all("settle", node -> node.settle(run, ids.getOrDefault(node.id(), "")));
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
    all("learn the old ring", node -> tellMember(node, back, batch));
    settle(batch);
  }

  /**
   * Ends the move on all nodes. Nobody settles before everybody has closed: until then writes go to
   * both of a pair.
   */
  private void settle(String batch) {
    all("close", node -> node.close(run, batch));
    all("settle", node -> node.settle(run, batch));
  }

  /**
   * Ends a move of which no client can know, so that nodes that do not answer need not be waited
   * for: they leave it when they are told.
   */
  private void settleThose(String batch) {
    all(
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
      RebalanceNode node = nodes.get(member.id());
      if (node != null) {
        each("learn the new topology", node, n -> n.install(last, ""));
      }
    }
    return last;
  }

  private static RebalanceFailedException givenUp(RebalanceFailedException why, Runnable back) {
    try {
      back.run();
      return new RebalanceFailedException(
          why.getMessage() + " The batch was given up: data and topology are what they were.",
          List.of());
    } catch (RebalanceFailedException e) {
      return new RebalanceFailedException(
          why.getMessage()
              + " The batch could not be given up everywhere: "
              + e.getMessage()
              + " Run 'braid rebalance abort' when that node answers again.",
          e.unsettled());
    }
  }

  /** A step on all nodes: the others do it too when one cannot. */
  private void all(String what, Step step) {
    List<String> failed = new ArrayList<>();
    StringBuilder problems = new StringBuilder();
    for (RebalanceNode node : nodes.values()) {
      try {
        each(what, node, step);
      } catch (RebalanceFailedException e) {
        failed.add(node.name());
        problems.append(problems.isEmpty() ? "" : " ").append(e.getMessage());
      }
    }
    if (!failed.isEmpty()) {
      throw new RebalanceFailedException(problems.toString(), failed);
    }
  }

  private void each(String what, RebalanceNode node, Step step) {
    for (int attempt = 1; ; attempt++) {
      try {
        step.on(node);
        return;
      } catch (IOException e) {
        if (attempt == TRIES) {
          throw failed(what, node, e);
        }
        seams.sleep(LOOK.multipliedBy(attempt));
      } catch (RuntimeException e) {
        throw failed(what, node, e);
      }
    }
  }

  private static RebalanceFailedException failed(String what, RebalanceNode node, Exception why) {
    String text = why.getMessage() == null ? why.getClass().getSimpleName() : why.getMessage();
    return new RebalanceFailedException(
        "Node " + node.name() + " could not " + what + ": " + text, List.of(node.name()));
  }

  /** Holds the lease of the cluster's partitions at all nodes. */
  private final class Lease implements AutoCloseable {
    private final Signal end = seams.signal();
    private volatile boolean closed;
    private final Task task;

    Lease() {
      try {
        unchanged(() -> all("take its lease", node -> node.leaseCluster(run, LEASE)));
      } catch (RebalanceFailedException e) {
        release();
        throw e;
      }
      this.task = seams.start("rebalance-lease", this::keep);
    }

    private void keep() {
      while (!closed) {
        end.await(RENEW);
        for (RebalanceNode node : nodes.values()) {
          if (!closed) {
            renew(node);
          }
        }
      }
    }

    private void renew(RebalanceNode node) {
      try {
        node.leaseCluster(run, LEASE);
      } catch (IOException | RuntimeException e) {
        // A node where the lease is lost refuses what comes next, and says why.
        return;
      }
    }

    private void release() {
      for (RebalanceNode node : nodes.values()) {
        try {
          node.releaseCluster(run);
        } catch (IOException | RuntimeException e) {
          // It ends by itself.
          continue;
        }
      }
    }

    @Override
    public void close() {
      closed = true;
      end.raise();
      task.join(Duration.ofSeconds(5));
      release();
    }
  }
}
