package io.braid.store.hbase.region;

import io.braid.core.store.Procedure;
import io.braid.core.store.ProcedureLibrary;
import io.braid.store.hbase.wire.BlindWrite;
import java.util.HashMap;
import java.util.Map;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** The procedures on the class path of the region server, by name. */
final class ProcedureCatalog {
  private final Map<String, Procedure<?, ?>> procedures = new HashMap<>();

  ProcedureCatalog() {
    add(new BlindWrite());
    for (ProcedureLibrary library :
        ServiceLoader.load(ProcedureLibrary.class, ProcedureCatalog.class.getClassLoader())) {
      library.procedures().forEach(this::add);
    }
  }

  void add(Procedure<?, ?> procedure) {
    if (procedures.put(procedure.name(), procedure) != null) {
      throw new IllegalStateException("Two procedures are named " + procedure.name() + ".");
    }
  }

  @Nullable Procedure<?, ?> find(String name) {
    return procedures.get(name);
  }
}
