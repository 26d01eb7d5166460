package io.braid.core.time;

import io.braid.core.store.Procedure;
import io.braid.core.store.ProcedureLibrary;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The procedure of the timestamp oracle.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class TimeProcedures implements ProcedureLibrary {
  @Override
  public List<Procedure<?, ?>> procedures() {
    return List.of(RaiseBound.INSTANCE);
  }
}
