package io.braid.server.coordinator;

/** A figure of the manager since it became the leader. Requests contain its number. */
public enum ManagerFigure {
  /** Timestamps that were given out: begins of transactions and snapshots, mostly. */
  TIMESTAMPS,
  /** Commit timestamps that were granted. */
  GRANTED,
  /** Commits that were refused because another transaction was first. */
  CONFLICTS,
  /** Commits that were refused because they began before the time that the manager remembers. */
  TOO_OLD,
  /** Commits that were refused because of a fence. */
  FENCED,
  /** Messages that asked for commits. */
  MESSAGES,
  /** Nanoseconds that it took to decide on all of these. */
  DECIDING_NANOS,
  /** The most that it took to decide on one. */
  LONGEST_NANOS,
  /** Connections that are open now. */
  CONNECTIONS,
  /**
   * Connections that were turned away because of their client or its request, since the process
   * began.
   */
  TURNED_AWAY
}
