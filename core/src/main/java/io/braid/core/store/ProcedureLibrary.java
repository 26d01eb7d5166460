package io.braid.core.store;

import java.util.List;

/**
 * The procedures of a module, for stores that run them in another process: such a store finds all
 * libraries there through {@link java.util.ServiceLoader} and calls procedures by their names.
 */
public interface ProcedureLibrary {
  /** One instance of each; they have no state. */
  List<Procedure<?, ?>> procedures();
}
