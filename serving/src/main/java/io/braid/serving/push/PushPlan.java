package io.braid.serving.push;

import io.braid.serving.StoreNames;
import io.braid.serving.node.CanaryPlan;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The version to push, and the options of the push. {@link #of of} begins a plan, the other methods
 * change it.
 *
 * @param id names the push: a push with an id that went through already changes nothing. Up to 100
 *     letters, digits, '.', '_', ':' and '-'
 * @param from where the folders {@code node-0}, {@code node-1}, ... are, for the nodes
 * @param version 0: the next
 * @param force whether to push the version even if it has suspiciously few keys
 * @param tolerated how many nodes may be dead; they refuse reads until they have caught up. Only
 *     for nodes of a cluster, which inform the dead nodes
 * @param deferred whether to stop before the swap
 * @param peers whether nodes copy the files that other nodes of their zone bring in; then one copy
 *     of each chunk comes into a zone from outside
 * @param canary how the version is tried out on each node before any of them swaps
 */
public record PushPlan(
    String store,
    String id,
    String from,
    long version,
    boolean force,
    int tolerated,
    boolean deferred,
    boolean peers,
    Optional<CanaryPlan> canary) {
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9._:-]{1,100}");

  public PushPlan {
    StoreNames.store(store);
    if (!ID.matcher(id).matches()) {
      throw new IllegalArgumentException(
          "'"
              + id
              + "' is no id of a push: use letters, digits, '.', '_', ':' and '-', up to 100.");
    }
    if (tolerated < 0) {
      throw new IllegalArgumentException("The number of dead nodes to tolerate is 0 or more.");
    }
    if (tolerated > 0 && deferred) {
      throw new IllegalArgumentException(
          "A push that stops before the swap tolerates no dead nodes: the swap needs all of them.");
    }
  }

  /** The plain one: the next version, on all nodes or none. */
  public static PushPlan of(String store, String id, String from) {
    return new PushPlan(store, id, from, 0, false, 0, false, false, Optional.empty());
  }

  public PushPlan version(long number) {
    return new PushPlan(store, id, from, number, force, tolerated, deferred, peers, canary);
  }

  public PushPlan forced(boolean yes) {
    return new PushPlan(store, id, from, version, yes, tolerated, deferred, peers, canary);
  }

  public PushPlan tolerating(int nodes) {
    return new PushPlan(store, id, from, version, force, nodes, deferred, peers, canary);
  }

  public PushPlan deferred(boolean yes) {
    return new PushPlan(store, id, from, version, force, tolerated, yes, peers, canary);
  }

  public PushPlan peers(boolean yes) {
    return new PushPlan(store, id, from, version, force, tolerated, deferred, yes, canary);
  }

  public PushPlan canary(CanaryPlan trial) {
    return new PushPlan(
        store, id, from, version, force, tolerated, deferred, peers, Optional.of(trial));
  }

  /** Where a node finds its folder. */
  String folder(PushNode node) {
    return (from.endsWith("/") ? from : from + "/") + "node-" + node.id();
  }
}
