package io.braid.server.coordinator;

/** What the manager in office has done since it took office; its number stands in requests. */
public enum ManagerFigure {
  /** Timestamps that were given out: begins of transactions and snapshots, mostly. */
  TIMESTAMPS,
  /** Commit timestamps that were granted. */
  GRANTED,
  /** Commits that were refused because another transaction was first. */
  CONFLICTS,
  /** Commits that were refused because they began before what the manager knows. */
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
  /** Connections that were turned away because of who asked, or how, since the process began. */
  TURNED_AWAY
}
