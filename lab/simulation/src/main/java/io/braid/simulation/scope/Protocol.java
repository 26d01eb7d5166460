package io.braid.simulation.scope;

import io.braid.core.time.TimestampOracle;
import io.braid.core.transaction.Transactions;
import io.braid.omid.OmidOptions;
import io.braid.omid.OmidTransactions;
import io.braid.omid.manager.LocalTransactionManager;
import io.braid.omid.manager.ManagerClient;
import io.braid.omid.manager.TransactionManager;
import io.braid.omid.manager.WriteSet;
import io.braid.percolator.PercolatorTransactions;
import io.braid.percolator.context.PercolatorOptions;
import io.braid.simulation.cluster.Tampering;
import java.time.Duration;
import java.util.function.Function;

/** Opens transactions in the processes of a scope; they finish what they have committed at once. */
enum Protocol {
  PERCOLATOR {
    @Override
    Function<ScopeProcess, Transactions> opener(ScopeWorld world, boolean onePhase) {
      PercolatorOptions defaults = PercolatorOptions.defaults();
      PercolatorOptions options =
          defaults
              .onePhase(onePhase)
              .duties(new PercolatorOptions.Duties(0, Duration.ofSeconds(1), 0))
              .savings(new PercolatorOptions.Savings(0, false, Duration.ZERO, 1));
      return process -> {
        Tampering.Surroundings used = world.surroundings();
        return new PercolatorTransactions(used.store(), used.oracle(), process, options);
      };
    }
  },
  OMID {
    @Override
    Function<ScopeProcess, Transactions> opener(ScopeWorld world, boolean onePhase) {
      OmidOptions options =
          OmidOptions.defaults()
              .onePhase(onePhase)
              .grace(new OmidOptions.Grace(Duration.ZERO, Duration.ZERO))
              .duties(new OmidOptions.Duties(Duration.ofSeconds(1), 0));
      TransactionManager manager =
          world.manager(new LocalTransactionManager(world.oracle(), CELLS));
      return process -> {
        Tampering.Surroundings used = world.surroundings();
        return new OmidTransactions(
            used.store(), client(world, manager, process), used.oracle(), process, options);
      };
    }
  };

  /** The number of cells of the conflict map. */
  private static final int CELLS = 64;

  private static ManagerClient client(
      ScopeWorld world, TransactionManager manager, ScopeProcess process) {
    TimestampOracle oracle = world.oracle();
    return new ManagerClient(
        oracle,
        new ManagerClient.Requests() {
          @Override
          public TransactionManager.Verdict commit(WriteSet writes) {
            TransactionManager.Verdict verdict = manager.commit(writes);
            process.saw("verdict", verdict + " " + writes.commit());
            world.changed(process + " asked at " + writes.start() + ": " + verdict);
            return verdict;
          }

          @Override
          public long fence(long table) {
            long fence = manager.fence(table);
            process.saw("fence", Long.toString(fence));
            world.changed("fence " + fence);
            return fence;
          }
        });
  }

  /**
   * Makes what the processes share, and what opens transactions in each of them.
   *
   * @param onePhase whether they may commit in one phase
   */
  abstract Function<ScopeProcess, Transactions> opener(ScopeWorld world, boolean onePhase);
}
