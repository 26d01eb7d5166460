package io.braid.core.store;

import java.util.List;
import org.apiguardian.api.API;

/**
 * The procedures for Braid's own rows, and for those that it keeps beside the rows of users.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class StoreProcedures implements ProcedureLibrary {
  @Override
  public List<Procedure<?, ?>> procedures() {
    return List.of(ReplaceCell.INSTANCE, WriteUnderEpoch.INSTANCE);
  }
}
