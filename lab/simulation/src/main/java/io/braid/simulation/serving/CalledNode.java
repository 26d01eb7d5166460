package io.braid.simulation.serving;

import io.braid.serving.node.CanaryPlan;
import io.braid.serving.node.CanaryReport;
import io.braid.serving.node.LiveVersion;
import io.braid.serving.node.MissedPush;
import io.braid.serving.push.PushNode;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A node as pushers and operators see it. */
final class CalledNode implements PushNode {
  private static final Duration LONG = Duration.ofMinutes(5);

  private final PushCluster cluster;
  private final int id;
  private final Duration patience;

  /**
   * @param patience how long an answer is waited for
   */
  CalledNode(PushCluster cluster, int id, Duration patience) {
    this.cluster = cluster;
    this.id = id;
    this.patience = patience;
  }

  /** A step that answers nothing. */
  private interface Step {
    void at(PushNode node) throws IOException;
  }

  private void step(String what, Duration most, Step step) throws IOException {
    cluster.call(
        id,
        what,
        most,
        (machine, running) -> {
          step.at(running.push());
          return true;
        });
  }

  @Override
  public int id() {
    return id;
  }

  @Override
  public String name() {
    return "n" + id;
  }

  @Override
  public void lease(String store, String push, Duration length) throws IOException {
    step("lease " + store + " " + push, patience, node -> node.lease(store, push, length));
  }

  @Override
  public void release(String store, String push) throws IOException {
    step("release " + store + " " + push, patience, node -> node.release(store, push));
  }

  @Override
  public State state(String store, String push) throws IOException {
    return cluster.call(
        id, "state", patience, (machine, running) -> running.push().state(store, push));
  }

  @Override
  public void fetch(String store, String push, String from, long version, boolean peers)
      throws IOException {
    step(
        "fetch " + store + " " + version + " " + push,
        patience,
        node -> node.fetch(store, push, from, version, peers));
  }

  @Override
  public Progress progress(String store) throws IOException {
    return cluster.call(
        id, "progress", patience, (machine, running) -> running.push().progress(store));
  }

  @Override
  public void prepare(String store, String push, long version, boolean force) throws IOException {
    step(
        "prepare " + store + " " + version + " " + push,
        LONG,
        node -> node.prepare(store, push, version, force));
  }

  @Override
  public CanaryReport canary(String store, String push, long version, CanaryPlan plan)
      throws IOException {
    return cluster.call(
        id,
        "canary",
        LONG,
        (machine, running) -> running.push().canary(store, push, version, plan));
  }

  @Override
  public void swap(
      String store,
      String push,
      long version,
      boolean force,
      long flips,
      Optional<MissedPush> missed)
      throws IOException {
    step(
        "swap " + store + " " + version + " " + push,
        patience,
        node -> node.swap(store, push, version, force, flips, missed));
  }

  @Override
  public void confirm(String store, String push) throws IOException {
    step("confirm " + store + " " + push, patience, node -> node.confirm(store, push));
  }

  @Override
  public void takeBack(String store, long version, long flips) throws IOException {
    step(
        "take back " + store + " " + version,
        patience,
        node -> node.takeBack(store, version, flips));
  }

  /** Goes back to a version, unless something else than was seen is live by now. */
  void rollBack(String store, long version, LiveVersion seen) throws IOException {
    cluster.call(
        id,
        "roll back " + store + " " + version,
        patience,
        (machine, running) -> running.endpoint().rollBack(store, version, seen));
  }

  void pin(String store, long version, boolean pin) throws IOException {
    cluster.call(
        id,
        "pin " + store + " " + version,
        patience,
        (machine, running) -> {
          running.endpoint().pin(store, version, pin);
          return true;
        });
  }

  /** How often the live version has changed. */
  long flips(String store) throws IOException {
    return state(store, "operator").flips();
  }

  /** The versions that were live, the last one is. */
  List<Long> served(String store) throws IOException {
    return cluster.call(id, "versions", patience, (machine, running) -> machine.served(store));
  }
}
