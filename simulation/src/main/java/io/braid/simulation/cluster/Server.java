package io.braid.simulation.cluster;

/** What the network needs to know of the other side. */
interface Server {
  boolean isUp();

  /** Changes with each restart: answers of an earlier life never arrive. */
  long life();
}
