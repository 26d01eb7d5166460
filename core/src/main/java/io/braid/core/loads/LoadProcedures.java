package io.braid.core.loads;

import io.braid.core.store.Procedure;
import io.braid.core.store.ProcedureLibrary;
import java.util.List;

/** The procedures of loads. */
public final class LoadProcedures implements ProcedureLibrary {
  @Override
  public List<Procedure<?, ?>> procedures() {
    return List.of(DecideLoad.INSTANCE, StageRow.INSTANCE, SettleRow.INSTANCE);
  }
}
