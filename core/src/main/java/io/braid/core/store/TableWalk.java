package io.braid.core.store;

import java.util.Optional;
import java.util.function.Consumer;
import org.apiguardian.api.API;

/**
 * Visits the tables of a store while others create and drop some.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class TableWalk {
  private static final int TRIES = 8;

  private TableWalk() {}

  /**
   * Visits each table that there is. A table that is dropped meanwhile is left out. A table that is
   * created again under its name is visited again.
   *
   * @param visit may be broken off by an {@link UnknownTableException} and begun again
   */
  public static void each(CellStore store, Consumer<TableSchema> visit) {
    store.tables().forEach(schema -> visit(store, schema, visit));
  }

  private static void visit(CellStore store, TableSchema listed, Consumer<TableSchema> visit) {
    TableSchema schema = listed;
    for (int left = TRIES; left >= 0; left--) {
      try {
        visit.accept(schema);
        return;
      } catch (UnknownTableException e) {
        Optional<TableSchema> now = store.table(schema.name());
        if (now.isEmpty()) {
          return;
        }
        if (left == 0) {
          throw e;
        }
        schema = now.get();
      }
    }
  }
}
