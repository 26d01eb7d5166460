package io.braid.serving.push;

import io.braid.core.runtime.Seams;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Brings a version to all nodes and makes it live there (section 4.3): every node fetches, then
 * every node prepares, which takes long and changes nothing that is read; only when all are ready
 * they swap, one after another, which takes milliseconds. If one fails to, those that swapped, and
 * the one whose answer was lost, take the version back.
 */
public final class Push {
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);

  private final Seams seams;
  private final List<PushNode> nodes;
  private final String store;
  private final boolean force;
  private final Watcher watcher;

  /** Is told how far the push is. */
  public interface Watcher {
    void at(String step, long done, long total);
  }

  public Push(Seams seams, List<PushNode> nodes, String store, boolean force, Watcher watcher) {
    this.seams = seams;
    this.nodes = List.copyOf(nodes);
    this.store = store;
    this.force = force;
    this.watcher = watcher;
  }

  /** One step on one node. */
  private interface Step {
    void on(PushNode node) throws IOException;
  }

  /**
   * Pushes.
   *
   * @param folder where node number N (as text) finds its folder
   * @param version 0: the next
   * @return the version, which is live everywhere
   * @throws PushFailedException when it is live nowhere, or, where it says so, perhaps somewhere
   */
  public long run(UnaryOperator<String> folder, long version) {
    long number = version == 0 ? next() : version;
    for (int i = 0; i < nodes.size(); i++) {
      String from = folder.apply(Integer.toString(i));
      before("begin to fetch", nodes.get(i), node -> node.fetch(store, from, number));
    }
    awaitFetches();
    for (int i = 0; i < nodes.size(); i++) {
      watcher.at("prepared nodes", i, nodes.size());
      before("prepare", nodes.get(i), node -> node.prepare(store, number, force));
    }
    swap(number);
    return number;
  }

  private long next() {
    long[] next = {1};
    for (PushNode node : nodes) {
      before("tell its versions", node, n -> next[0] = Math.max(next[0], n.next(store)));
    }
    return next[0];
  }

  private void awaitFetches() {
    while (true) {
      long fetched = 0;
      long total = 0;
      boolean ended = true;
      for (PushNode node : nodes) {
        PushNode.Progress[] progress = new PushNode.Progress[1];
        before("tell how far its fetch is", node, n -> progress[0] = n.progress(store));
        if (!progress[0].problem().isEmpty()) {
          throw new PushFailedException(
              "Node " + node.name() + " could not fetch: " + progress[0].problem(), List.of());
        }
        fetched += progress[0].fetched();
        total += progress[0].total();
        ended &= progress[0].ended();
      }
      watcher.at("bytes fetched", fetched, total);
      if (ended) {
        return;
      }
      seams.sleep(BETWEEN_LOOKS);
    }
  }

  /** A step before any swap: if it fails, nothing that is read has changed. */
  private static void before(String what, PushNode node, Step step) {
    try {
      step.on(node);
    } catch (IOException | RuntimeException e) {
      throw new PushFailedException(
          "Node "
              + node.name()
              + " could not "
              + what
              + ": "
              + e.getMessage()
              + " Nothing was swapped anywhere.",
          List.of());
    }
  }

  private void swap(long version) {
    List<PushNode> touched = new ArrayList<>();
    for (PushNode node : nodes) {
      watcher.at("swapped nodes", touched.size(), nodes.size());
      touched.add(node);
      try {
        node.swap(store, version, force);
      } catch (IOException | RuntimeException e) {
        throw undone(version, node, e, touched);
      }
    }
    watcher.at("swapped nodes", nodes.size(), nodes.size());
  }

  private PushFailedException undone(
      long version, PushNode failed, Exception why, List<PushNode> touched) {
    List<String> unsettled = new ArrayList<>();
    StringBuilder problems = new StringBuilder();
    for (PushNode node : touched) {
      try {
        node.takeBack(store, version);
      } catch (IOException | RuntimeException e) {
        unsettled.add(node.name());
        problems.append(" Node ").append(node.name()).append(": ").append(e.getMessage());
      }
    }
    String what =
        "Node " + failed.name() + " could not swap version " + version + ": " + why.getMessage();
    return new PushFailedException(
        unsettled.isEmpty()
            ? what + " The version was taken back everywhere."
            : what
                + " It could not be taken back on "
                + unsettled
                + ", where it may be live."
                + problems
                + " Roll those back by hand.",
        unsettled);
  }
}
