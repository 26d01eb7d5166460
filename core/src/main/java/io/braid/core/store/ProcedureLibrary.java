package io.braid.core.store;

import java.util.List;
import org.apiguardian.api.API;

/**
 * The procedures of a module, for stores that run them in another process: such a store finds all
 * libraries there through {@link java.util.ServiceLoader} and calls procedures by their names.
 */
@API(status = API.Status.EXPERIMENTAL)
public interface ProcedureLibrary {
  /** One instance of each; they have no state. */
  List<Procedure<?, ?>> procedures();
}
