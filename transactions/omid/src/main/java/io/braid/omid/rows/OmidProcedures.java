package io.braid.omid.rows;

import io.braid.core.store.Procedure;
import io.braid.core.store.ProcedureLibrary;
import java.util.List;

/** The procedures of Omid. */
public final class OmidProcedures implements ProcedureLibrary {
  @Override
  public List<Procedure<?, ?>> procedures() {
    return List.of(
        ReadRow.INSTANCE,
        FastRead.INSTANCE,
        FastWrite.INSTANCE,
        CommitWithoutManager.INSTANCE,
        EndFastWrite.INSTANCE,
        PostCommit.INSTANCE,
        DecideEntry.INSTANCE,
        WriteTentative.INSTANCE,
        RemoveTentative.INSTANCE,
        NotifyWithEntry.INSTANCE,
        ForgetEntry.INSTANCE);
  }
}
