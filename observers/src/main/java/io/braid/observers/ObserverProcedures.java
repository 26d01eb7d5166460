package io.braid.observers;

import io.braid.core.store.Procedure;
import io.braid.core.store.ProcedureLibrary;
import io.braid.observers.rows.ClearNotifications;
import io.braid.observers.rows.ReplayChange;
import io.braid.observers.rows.WriteDeadLetter;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The procedures of the observers.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class ObserverProcedures implements ProcedureLibrary {
  @Override
  public List<Procedure<?, ?>> procedures() {
    return List.of(
        ChangeRegistration.INSTANCE,
        ClearNotifications.INSTANCE,
        WriteDeadLetter.INSTANCE,
        ReplayChange.INSTANCE,
        ChangeBackfill.INSTANCE);
  }
}
