package io.braid.simulation;

import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.time.TimestampOracle;
import io.braid.core.transaction.Transactions;
import io.braid.percolator.PercolatorTransactions;
import io.braid.percolator.context.PercolatorOptions;
import io.braid.percolator.garbage.CollectionOptions;
import io.braid.simulation.cluster.SimProcess;
import io.braid.simulation.cluster.Tampering;
import java.util.ArrayDeque;
import java.util.Deque;

/** A process with the code under test in it. */
final class Node {
  private final SimProcess process;
  private final CellStore store;
  private final TimestampOracle oracle;
  private final Transactions transactions;
  private final Deque<Runnable> closeFirst = new ArrayDeque<>();

  Node(SimProcess process, CellStore store, TimestampOracle oracle, Transactions transactions) {
    this.process = process;
    this.store = store;
    this.oracle = oracle;
    this.transactions = transactions;
  }

  /** Opens the database in a process; to be called by a task of it. */
  static Node open(World world, SimProcess process, PercolatorOptions options) {
    return open(world, process, options, CollectionOptions.OFF);
  }

  /** Opens the database, with garbage collection. */
  static Node open(
      World world, SimProcess process, PercolatorOptions options, CollectionOptions garbage) {
    Tampering.Surroundings honest =
        new Tampering.Surroundings(world.cluster().store(process), world.cluster().oracle(process));
    Tampering.Surroundings used = world.tampering().tamper(honest);
    return new Node(
        process,
        used.store(),
        used.oracle(),
        new PercolatorTransactions(used.store(), used.oracle(), process.seams(), options, garbage));
  }

  SimProcess process() {
    return process;
  }

  Seams seams() {
    return process.seams();
  }

  CellStore store() {
    return store;
  }

  TimestampOracle oracle() {
    return oracle;
  }

  Transactions transactions() {
    return transactions;
  }

  /** Has something closed before the transactions are. */
  void closeFirst(Runnable close) {
    closeFirst.push(close);
  }

  /** Closes the database as a good process does, which then ends. */
  void close() {
    closeFirst.forEach(Runnable::run);
    transactions.close();
    process.crash();
  }
}
