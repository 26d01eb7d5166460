package io.braid.simulation;

import io.braid.core.transaction.Transactions;
import io.braid.percolator.PercolatorOptions;
import io.braid.percolator.PercolatorTransactions;
import io.braid.simulation.cluster.SimProcess;

/** A process with the code under test in it. */
final class Node {
  private final SimProcess process;
  private final Transactions transactions;

  private Node(SimProcess process, Transactions transactions) {
    this.process = process;
    this.transactions = transactions;
  }

  /** Opens the database in a process; to be called by a task of it. */
  static Node open(World world, SimProcess process, PercolatorOptions options) {
    Tampering.Surroundings honest =
        new Tampering.Surroundings(world.cluster().store(process), world.cluster().oracle(process));
    Tampering.Surroundings used = world.tampering().tamper(honest);
    return new Node(
        process, new PercolatorTransactions(used.store(), used.oracle(), process.seams(), options));
  }

  SimProcess process() {
    return process;
  }

  Transactions transactions() {
    return transactions;
  }

  /** Closes the database as a good process does, which then ends. */
  void close() {
    transactions.close();
    process.crash();
  }
}
