package io.braid.serving.push;

import io.braid.core.runtime.Seams;
import io.braid.serving.NotFinishedException;
import io.braid.serving.client.Parallel;
import io.braid.serving.node.MissedPush;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Brings a version to all nodes and makes it live there (section 4.3).
 *
 * <p>If each node swapped as soon as it had its files, readers would see two versions side by side
 * for as long as the slowest fetch takes, and for ever if one node never ends it. If the nodes were
 * stopped for the change, readers would wait for that long. A push does neither:
 *
 * <ol>
 *   <li><em>Fetch.</em> Every node copies its chunks into a folder of its own.
 *   <li><em>Prepare.</em> Every node checks and opens the files; with a canary, it repeats a share
 *       of its reads in the new version and compares. Until here nothing that is read has changed,
 *       so a failure ends the push without a trace.
 *   <li><em>Swap.</em> When all are ready they swap, one after another. A swap exchanges one
 *       pointer, so two versions are live side by side for milliseconds.
 *   <li><em>Take back.</em> If a node fails to swap, those that swapped take the version back, and
 *       so does the one whose answer was lost. The exception names the nodes that could not.
 * </ol>
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>When a push ends without unsettled nodes, the version is live on all of its nodes or on
 *       none.
 *   <li>A take-back names how often the live version of the node had changed before this push. A
 *       node that has moved on since ignores it. So a push never undoes what another has done.
 *   <li>One number has one content. A node that could not be asked may know a higher number; the
 *       push then leaves out as many numbers as make a clash improbable.
 *   <li>A node that was down may be left out, if the others can tell it: it learns what it missed
 *       from its cluster, and answers no reads of the store until it has it.
 * </ul>
 *
 * <p>One push of a store runs at a time: it holds a lease at every node, and a node refuses the
 * steps of a push that has lost it. A push may be repeated with its id: what is done is left alone,
 * also when it was rolled back since.
 */
public final class Push {
  private static final int MOST_LEFT_OUT = 10_000;
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

  private final Seams seams;
  private final List<PushNode> all;
  private final List<PushNode> nodes = new ArrayList<>();
  private final List<PushNode> dead = new ArrayList<>();
  private final PushPlan plan;
  private final Watcher watcher;

  /** Receives the progress of the push. */
  public interface Watcher {
    /**
     * @param step what is counted, in words: {@code bytes fetched}, {@code nodes ready}
     * @param done how many of them
     * @param total of how many; 0 while that is not known
     */
    void at(String step, long done, long total);
  }

  public Push(Seams seams, List<? extends PushNode> nodes, PushPlan plan, Watcher watcher) {
    this.seams = seams;
    this.all = List.copyOf(nodes);
    this.plan = plan;
    this.watcher = watcher;
  }

  /** One step on one node. */
  private interface Step {
    void on(PushNode node) throws IOException;
  }

  /**
   * Pushes.
   *
   * @throws NotFinishedException when the version is live nowhere, or, where it says so, perhaps
   *     somewhere
   */
  public PushResult run() {
    takeLeases();
    try (LeaseKeeper keeper = new LeaseKeeper(seams, plan, nodes)) {
      return leased();
    }
  }

  private void takeLeases() {
    try {
      for (PushNode node : all) {
        if (step("take its lease", node, this::lease)) {
          nodes.add(node);
        }
      }
    } catch (NotFinishedException e) {
      LeaseKeeper.release(plan, nodes);
      throw e;
    }
  }

  /**
   * Does what a deferred push has left: makes a version live on all nodes, or on none.
   *
   * @throws NotFinishedException when one could not swap
   */
  public static PushResult swapPrepared(
      Seams seams, List<? extends PushNode> nodes, String store, long version, boolean force) {
    PushPlan plan = PushPlan.of(store, "swap-" + version, "").version(version).forced(force);
    Push push = new Push(seams, nodes, plan, (step, done, total) -> {});
    push.takeLeases();
    try (LeaseKeeper keeper = new LeaseKeeper(seams, plan, push.nodes)) {
      List<PushNode> open = List.copyOf(push.nodes);
      push.together("prepare", open, n -> n.prepare(store, plan.id(), version, force));
      return new PushResult(version, false, List.of(), push.swap(version, open));
    }
  }

  private void lease(PushNode node) throws IOException {
    node.lease(plan.store(), plan.id(), LeaseKeeper.LENGTH);
  }

  private PushResult leased() {
    long[] next = {1};
    List<PushNode> open = new ArrayList<>();
    long[] pushed = {0};
    for (PushNode node : List.copyOf(nodes)) {
      step(
          "tell its versions",
          node,
          n -> {
            PushNode.State state = n.state(plan.store(), plan.id());
            refuseAlone(state);
            next[0] = Math.max(next[0], state.next());
            pushed[0] = Math.max(pushed[0], state.pushed());
            if (state.pushed() == 0) {
              open.add(n);
            }
          });
    }
    if (open.isEmpty() && pushed[0] > 0) {
      confirm();
      return new PushResult(pushed[0], true, names(dead), 0);
    }
    long number = pushed[0] > 0 ? pushed[0] : plan.version() == 0 ? fresh(next[0]) : plan.version();
    fetch(number, open);
    together("prepare", open, n -> n.prepare(plan.store(), plan.id(), number, plan.force()));
    plan.canary()
        .ifPresent(
            canary ->
                together(
                    "try it out", open, n -> n.canary(plan.store(), plan.id(), number, canary)));
    if (plan.deferred()) {
      return new PushResult(number, false, names(dead), 0);
    }
    open.removeAll(dead);
    return new PushResult(number, false, names(dead), swap(number, open));
  }

  /**
   * Refuses a node outside a cluster when the plan tolerates dead nodes. A node that missed a push
   * hears of it only from the others of its cluster.
   */
  private void refuseAlone(PushNode.State state) {
    if (plan.tolerated() > 0 && state.alone()) {
      throw new IllegalStateException(
          "it is in no cluster, or under another number, so it could not tell a dead node what it"
              + " missed. Tolerate no dead nodes, or push to a cluster (braid cluster init).");
    }
  }

  /**
   * The number of a new version. A node that cannot be asked may have had the next one already,
   * from a push that only it remembers, and one number must not stand for two contents: then some
   * are left out.
   */
  private long fresh(long next) {
    return dead.isEmpty() ? next : next + 1 + seams.random().nextInt(MOST_LEFT_OUT);
  }

  private void fetch(long number, List<PushNode> open) {
    for (PushNode node : List.copyOf(open)) {
      step(
          "begin to fetch",
          node,
          n -> n.fetch(plan.store(), plan.id(), plan.folder(n), number, plan.peers()));
    }
    open.removeAll(dead);
    while (true) {
      long[] sums = new long[2];
      boolean[] ended = {true};
      for (PushNode node : List.copyOf(open)) {
        step("tell how far its fetch is", node, n -> look(n, number, sums, ended));
      }
      open.removeAll(dead);
      watcher.at("bytes fetched", sums[0], sums[1]);
      if (ended[0]) {
        return;
      }
      seams.sleep(BETWEEN_LOOKS);
    }
  }

  private void look(PushNode node, long number, long[] sums, boolean[] ended) throws IOException {
    PushNode.Progress progress = node.progress(plan.store());
    if (progress.version() != number || !progress.from().equals(plan.folder(node))) {
      throw new IllegalStateException(
          "it has begun to fetch version "
              + progress.version()
              + " from "
              + progress.from()
              + " since.");
    }
    if (!progress.problem().isEmpty()) {
      throw new IllegalStateException(progress.problem());
    }
    sums[0] += progress.fetched();
    sums[1] += progress.total();
    ended[0] &= progress.ended();
  }

  /** A step on several nodes at a time. */
  private void together(String what, List<PushNode> on, Step step) {
    AtomicInteger done = new AtomicInteger();
    ConcurrentLinkedQueue<RuntimeException> failures = new ConcurrentLinkedQueue<>();
    List<Runnable> jobs = new ArrayList<>();
    for (PushNode node : on) {
      jobs.add(
          () -> {
            try {
              step(what, node, step);
              watcher.at("nodes ready", done.incrementAndGet(), on.size());
            } catch (RuntimeException e) {
              failures.add(e);
            }
          });
    }
    Parallel.run(seams, "push-" + plan.store(), jobs);
    RuntimeException first = failures.poll();
    if (first != null) {
      throw first;
    }
  }

  /**
   * A step before any swap: if it fails, nothing that is read has changed. A node that cannot be
   * reached is left behind, where that is allowed; one that refuses ends the push.
   *
   * @return whether the node did it
   */
  private boolean step(String what, PushNode node, Step step) {
    try {
      step.on(node);
      return true;
    } catch (IOException e) {
      synchronized (dead) {
        if (dead.size() < plan.tolerated()) {
          dead.add(node);
          return false;
        }
      }
      throw failed(what, node, e);
    } catch (RuntimeException e) {
      throw failed(what, node, e);
    }
  }

  private static NotFinishedException failed(String what, PushNode node, Exception why) {
    return new NotFinishedException(
        "Node "
            + node.name()
            + " could not "
            + what
            + ": "
            + why.getMessage()
            + " Nothing was swapped by this push.",
        0,
        List.of());
  }

  private double swap(long version, List<PushNode> prepared) {
    // Where the version is live already, and not by this push, it was so before, and stays so.
    List<NodeState> before = standing();
    List<PushNode> open = new ArrayList<>(prepared);
    open.removeAll(dead);
    Set<Integer> behind = new TreeSet<>();
    dead.forEach(node -> behind.add(node.id()));
    Optional<MissedPush> missed =
        behind.isEmpty()
            ? Optional.empty()
            : Optional.of(new MissedPush(version, plan.from(), behind, plan.peers()));
    List<SwapTarget> touched = new ArrayList<>();
    for (NodeState each : before) {
      long flips = each.state().flips();
      if (!open.contains(each.node())) {
        touched.add(
            new SwapTarget(each.node(), each.state().live() == version ? flips - 1 : flips));
      }
    }
    before.removeIf(each -> !open.contains(each.node()));
    long begun = seams.nanoTime();
    for (NodeState each : before) {
      watcher.at("nodes swapped", touched.size(), nodes.size());
      PushNode node = each.node();
      long flips = each.state().flips();
      if (each.state().live() != version) {
        touched.add(new SwapTarget(node, flips));
      }
      try {
        node.swap(plan.store(), plan.id(), version, plan.force(), flips, missed);
      } catch (IOException | RuntimeException e) {
        throw undone(version, node, e, touched);
      }
    }
    double millis = (seams.nanoTime() - begun) / 1e6;
    int swapped = nodes.size() - dead.size();
    watcher.at("nodes swapped", swapped, swapped);
    if (!behind.isEmpty()) {
      confirm();
    }
    return millis;
  }

  /** The state of a node right before the first swap. */
  private record NodeState(PushNode node, PushNode.State state) {}

  /**
   * A node where the version may be live by this push.
   *
   * @param flips how often its live version had changed before
   */
  private record SwapTarget(PushNode node, long flips) {}

  /**
   * Lets the nodes that missed this push catch up. One node that knows of the confirmation is
   * enough. If none does, the nodes go on refusing reads until the next push, or until this one
   * runs again.
   */
  private void confirm() {
    for (PushNode node : nodes) {
      if (!dead.contains(node)) {
        try {
          node.confirm(plan.store(), plan.id());
        } catch (IOException | RuntimeException e) {
          // The others may have heard it.
          continue;
        }
      }
    }
  }

  private List<NodeState> standing() {
    List<NodeState> standing = new ArrayList<>();
    for (PushNode node : nodes) {
      if (!dead.contains(node)) {
        step(
            "tell what is live",
            node,
            n -> standing.add(new NodeState(n, n.state(plan.store(), plan.id()))));
      }
    }
    return standing;
  }

  private NotFinishedException undone(
      long version, PushNode failed, Exception why, List<SwapTarget> touched) {
    List<String> unsettled = new ArrayList<>();
    StringBuilder problems = new StringBuilder();
    for (SwapTarget each : touched) {
      PushNode node = each.node();
      try {
        node.takeBack(plan.store(), version, each.flips());
      } catch (IOException | RuntimeException e) {
        unsettled.add(node.name());
        problems.append(" Node ").append(node.name()).append(": ").append(e.getMessage());
      }
    }
    String what =
        "Node " + failed.name() + " could not swap version " + version + ": " + why.getMessage();
    return new NotFinishedException(
        unsettled.isEmpty()
            ? what + " The version was taken back everywhere."
            : what
                + " It could not be taken back on "
                + unsettled
                + ", where it may be live."
                + problems
                + " Roll those back by hand.",
        version,
        unsettled);
  }

  private static List<String> names(List<PushNode> nodes) {
    return nodes.stream().map(PushNode::name).toList();
  }
}
