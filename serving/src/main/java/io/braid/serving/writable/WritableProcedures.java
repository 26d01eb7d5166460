package io.braid.serving.writable;

import io.braid.core.store.Procedure;
import io.braid.core.store.ProcedureLibrary;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The procedures of read-write stores.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class WritableProcedures implements ProcedureLibrary {
  @Override
  public List<Procedure<?, ?>> procedures() {
    return List.of(PutVersion.INSTANCE, RemoveVersions.INSTANCE);
  }
}
