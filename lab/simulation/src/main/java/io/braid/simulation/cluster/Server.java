package io.braid.simulation.cluster;

/** The other side, as the network sees it. */
interface Server {
  boolean isUp();

  /** Changes with each restart: answers of an earlier life never arrive. */
  long life();

  /** Whether a request that was sent in a life of the server can still reach it. */
  boolean isReachedFrom(long life);
}
