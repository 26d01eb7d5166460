package io.braid.cli.hbase;

/** What happens to a cluster, or to those who use it. */
enum FaultKind {
  /** A region server is killed (SIGKILL), and started again later. */
  kill_server,
  /** A region server stands still (SIGSTOP) for longer than its session lasts. */
  pause_server,
  /**
   * The master is killed, and started again later: meanwhile nobody opens the regions of a server
   * that dies, and none is split, merged or moved.
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
  /** A process of clients stands still for longer than the coordinator's lease and its session. */
  pause_client,
  /**
   * The process of clients that is the coordinator, and so gives out timestamps and decides
   * commits, stands still for longer than its lease: another one takes over, and then it goes on.
   */
  pause_coordinator,
  /**
   * Garbage is collected up to a second ago, and the low watermark with it: transactions and
   * snapshots that are older are refused.
   */
  collect_garbage
}
