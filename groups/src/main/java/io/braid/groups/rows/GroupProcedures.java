package io.braid.groups.rows;

import io.braid.core.store.Procedure;
import io.braid.core.store.ProcedureLibrary;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The procedures of key groups.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class GroupProcedures implements ProcedureLibrary {
  @Override
  public List<Procedure<?, ?>> procedures() {
    return List.of(
        TakeHold.INSTANCE,
        RaiseHold.INSTANCE,
        ReleaseHold.INSTANCE,
        ChangeRecord.INSTANCE,
        AppendLog.INSTANCE,
        RenewLease.INSTANCE);
  }
}
