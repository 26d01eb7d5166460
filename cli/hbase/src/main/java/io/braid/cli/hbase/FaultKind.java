package io.braid.cli.hbase;

/** A fault of a cluster, or of the processes that use it. */
enum FaultKind {
  /** A region server is killed (SIGKILL), and started again later. */
  kill_server,
  /** A region server is paused (SIGSTOP) for longer than its session lasts. */
  pause_server,
  /**
   * The master is killed, and started again later: meanwhile the regions of a server that dies are
   * not opened, and no region is split, merged or moved.
   */
  kill_master,
  /** A region goes to another server. */
  move,
  /** A region becomes two. */
  split,
  /** Two regions become one. */
  merge,
  /** ZooKeeper is killed, and started again at once. */
  restart_zookeeper,
  /** A process of clients is killed. */
  kill_client,
  /** A process of clients is paused for longer than the coordinator's lease and its own session. */
  pause_client,
  /**
   * The process of clients that is the coordinator, and so gives out timestamps and decides
   * commits, is paused for longer than its lease. Another process takes over, and then the paused
   * one goes on.
   */
  pause_coordinator,
  /**
   * Garbage is collected up to a second ago, and the low watermark with it: transactions and
   * snapshots that are older are refused.
   */
  collect_garbage
}
