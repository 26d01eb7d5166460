package io.braid.core.store;

import java.util.List;

/** The procedure for Braid's own rows. */
public final class StoreProcedures implements ProcedureLibrary {
  @Override
  public List<Procedure<?, ?>> procedures() {
    return List.of(ReplaceCell.INSTANCE);
  }
}
