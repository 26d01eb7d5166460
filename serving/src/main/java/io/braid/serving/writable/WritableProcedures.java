package io.braid.serving.writable;

import io.braid.core.store.Procedure;
import io.braid.core.store.ProcedureLibrary;
import java.util.List;

/** The procedures of read-write stores. */
public final class WritableProcedures implements ProcedureLibrary {
  @Override
  public List<Procedure<?, ?>> procedures() {
    return List.of(PutVersion.INSTANCE, RemoveVersions.INSTANCE);
  }
}
