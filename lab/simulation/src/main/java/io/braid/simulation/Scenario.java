package io.braid.simulation;

import java.util.List;
import java.util.Map;

/** A cluster at work, from its beginning until it has come to rest. */
interface Scenario {
  /** Runs it; the root task of the simulation. */
  void run();

  /** Judges what clients saw; empty when nothing is wrong. */
  List<String> judge();

  /** How many operations of each kind there were. */
  Map<String, Long> operations();

  /** Returns how many tablets the tables of the clients' keys have at least. */
  int tablets();

  /** Returns the choices of the seed, as text for people. */
  String settings();
}
