package io.braid.serving.push;

import io.braid.serving.node.CanaryPlan;
import io.braid.serving.node.CanaryReport;
import io.braid.serving.node.MissedPush;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * A node that takes part in a push. Its methods throw IOException when the node could not be
 * reached or did not answer: then it is unknown whether the node did the step.
 */
public interface PushNode {
  /** The number of its folder: {@code node-ID}. */
  int id();

  /** For messages. */
  String name();

  /**
   * Takes the lease of a store, or holds it for longer: one push of a store at a time.
   *
   * @throws RuntimeException when another push has it
   */
  void lease(String store, String push, Duration length) throws IOException;

  /** Gives the lease back. */
  void release(String store, String push) throws IOException;

  /** Returns the state of a store on the node. */
  State state(String store, String push) throws IOException;

  /**
   * Begins to fetch a version.
   *
   * @param peers whether to copy from nodes of its zone what they bring in
   */
  void fetch(String store, String push, String from, long version, boolean peers)
      throws IOException;

  /** How far the last fetch of a store is, which may be that of another push. */
  Progress progress(String store) throws IOException;

  void prepare(String store, String push, long version, boolean force) throws IOException;

  /**
   * Tries a prepared version out on reads of the live one; blocks as long as the plan says.
   *
   * @throws RuntimeException when the version should not go live
   */
  CanaryReport canary(String store, String push, long version, CanaryPlan plan) throws IOException;

  /**
   * Makes a version live, and remembers the push and the nodes that missed it.
   *
   * @param flips as in the state: when the live version has changed since, the swap is refused
   */
  void swap(
      String store,
      String push,
      long version,
      boolean force,
      long flips,
      Optional<MissedPush> missed)
      throws IOException;

  /** Reports that the push has gone through: the nodes that missed it may catch up. */
  void confirm(String store, String push) throws IOException;

  /**
   * Undoes the swap of a version. Does nothing when the version is not live, or is live by another
   * swap.
   *
   * @param flips as that swap had it; -1: any swap
   */
  void takeBack(String store, long version, long flips) throws IOException;

  /**
   * A store on a node.
   *
   * @param next the number that a new version would get
   * @param live 0: none
   * @param flips how often the live version has changed
   * @param pushed the version that the push made live here before; 0: none
   * @param alone whether the node is in no cluster, or in one under another number: it informs no
   *     other node of pushes that that node missed
   */
  record State(long next, long live, long flips, long pushed, boolean alone) {}

  /**
   * The last fetch of a store.
   *
   * @param version that is fetched
   * @param from where from
   * @param problem why it failed; empty when it did not
   */
  record Progress(
      long version, String from, long fetched, long total, boolean ended, String problem) {}
}
