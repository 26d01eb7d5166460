package io.braid.simulation.planted;

import io.braid.serving.node.CanaryPlan;
import io.braid.serving.node.CanaryReport;
import io.braid.serving.node.MissedPush;
import io.braid.serving.push.PushNode;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** Leaves every step of a push to an honest node. */
class ForwardingPushNode implements PushNode {
  private final PushNode honest;

  ForwardingPushNode(PushNode honest) {
    this.honest = honest;
  }

  @Override
  public int id() {
    return honest.id();
  }

  @Override
  public String name() {
    return honest.name();
  }

  @Override
  public void lease(String store, String push, Duration length) throws IOException {
    honest.lease(store, push, length);
  }

  @Override
  public void release(String store, String push) throws IOException {
    honest.release(store, push);
  }

  @Override
  public State state(String store, String push) throws IOException {
    return honest.state(store, push);
  }

  @Override
  public void fetch(String store, String push, String from, long version, boolean peers)
      throws IOException {
    honest.fetch(store, push, from, version, peers);
  }

  @Override
  public Progress progress(String store) throws IOException {
    return honest.progress(store);
  }

  @Override
  public void prepare(String store, String push, long version, boolean force) throws IOException {
    honest.prepare(store, push, version, force);
  }

  @Override
  public CanaryReport canary(String store, String push, long version, CanaryPlan plan)
      throws IOException {
    return honest.canary(store, push, version, plan);
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
    honest.swap(store, push, version, force, flips, missed);
  }

  @Override
  public void confirm(String store, String push) throws IOException {
    honest.confirm(store, push);
  }

  @Override
  public void takeBack(String store, long version, long flips) throws IOException {
    honest.takeBack(store, version, flips);
  }
}
