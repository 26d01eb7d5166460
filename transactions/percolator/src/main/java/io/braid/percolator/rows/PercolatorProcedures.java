package io.braid.percolator.rows;

import io.braid.core.store.Procedure;
import io.braid.core.store.ProcedureLibrary;
import java.util.List;

/** The procedures of Percolator. */
public final class PercolatorProcedures implements ProcedureLibrary {
  @Override
  public List<Procedure<?, ?>> procedures() {
    return List.of(
        Prewrite.INSTANCE,
        EndWriting.INSTANCE,
        CommitPrimary.INSTANCE,
        CommitRow.INSTANCE,
        ResolvePrimary.INSTANCE,
        RollbackRow.INSTANCE,
        Heartbeat.INSTANCE,
        OnePhaseCommit.INSTANCE,
        SnapshotRead.INSTANCE,
        NotifyWithPrimary.INSTANCE,
        SetPin.INSTANCE,
        CollectRow.INSTANCE);
  }
}
