package io.braid.batch.rows;

import io.braid.core.store.Procedure;
import io.braid.core.store.ProcedureLibrary;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The procedures of batch.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class BatchProcedures implements ProcedureLibrary {
  @Override
  public List<Procedure<?, ?>> procedures() {
    return List.of(LoadRow.INSTANCE, WriteIndexRow.INSTANCE);
  }
}
