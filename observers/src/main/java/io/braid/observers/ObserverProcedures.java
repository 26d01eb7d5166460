package io.braid.observers;

import io.braid.core.store.Procedure;
import io.braid.core.store.ProcedureLibrary;
import io.braid.observers.rows.ClearNotifications;
import io.braid.observers.rows.ParkChange;
import io.braid.observers.rows.ReplayChange;
import java.util.List;

/** The procedures of the observers. */
public final class ObserverProcedures implements ProcedureLibrary {
  @Override
  public List<Procedure<?, ?>> procedures() {
    return List.of(
        ChangeRegistration.INSTANCE,
        ClearNotifications.INSTANCE,
        ParkChange.INSTANCE,
        ReplayChange.INSTANCE,
        ChangeBackfill.INSTANCE);
  }
}
