package io.braid.core.time;

import io.braid.core.store.Procedure;
import io.braid.core.store.ProcedureLibrary;
import java.util.List;

/** The procedure of the timestamp oracle. */
public final class TimeProcedures implements ProcedureLibrary {
  @Override
  public List<Procedure<?, ?>> procedures() {
    return List.of(RaiseBound.INSTANCE);
  }
}
