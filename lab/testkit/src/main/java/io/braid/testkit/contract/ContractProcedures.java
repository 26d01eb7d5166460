package io.braid.testkit.contract;

import io.braid.core.store.Procedure;
import io.braid.core.store.ProcedureLibrary;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The procedures of the contract suite.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class ContractProcedures implements ProcedureLibrary {
  @Override
  public List<Procedure<?, ?>> procedures() {
    return List.of(Program.WRITING, Program.READING, Program.LOOKING);
  }
}
