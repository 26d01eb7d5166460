package io.braid.testkit.hostile;

import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowWrite;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One item on its way to a store: a run of a procedure, or a blind write. */
public interface Call<R extends @Nullable Object> {
  /** The name of blind writes. */
  String WRITE = "write";

  /** The name of the procedure, or {@link #WRITE}. */
  String name();

  List<Row> rows();

  /** Delivers it to the store; may be done never, once, or several times. */
  Outcome<R> run();

  /** Whether it may be delivered again after it was answered. */
  default boolean isProcedure() {
    return !name().equals(WRITE);
  }

  /** A run of a procedure. */
  record Run<A, R>(CellStore store, Procedure<A, R> procedure, A argument, Durability durability)
      implements Call<R> {
    @Override
    public String name() {
      return procedure.name();
    }

    @Override
    public List<Row> rows() {
      return procedure.rows(argument);
    }

    @Override
    public Outcome<R> run() {
      return store.execute(procedure, argument, durability);
    }

    @Override
    public String toString() {
      return procedure.name() + " " + argument;
    }
  }

  /** A blind write. */
  record Write(CellStore store, RowWrite write, Durability durability) implements Call<Void> {
    @Override
    public String name() {
      return WRITE;
    }

    @Override
    public List<Row> rows() {
      return List.of(write.row());
    }

    @Override
    public Outcome<Void> run() {
      return store.write(List.of(write), durability).get(0);
    }

    @Override
    public String toString() {
      return WRITE + " " + write;
    }
  }
}
