package io.braid.simulation.planted;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codec;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowAccess;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** A store that runs some procedures in another way than they are written. */
final class AlteredStore extends ForwardingStore {
  /** What is run instead of a procedure. */
  @FunctionalInterface
  interface Alteration<A, R> {
    R run(Procedure<A, R> original, RowAccess rows, A argument);
  }

  private final Map<Procedure<?, ?>, Procedure<?, ?>> altered = new LinkedHashMap<>();
  private final Map<String, UnaryOperator<RowAccess>> surroundings = new LinkedHashMap<>();

  AlteredStore(CellStore store) {
    super(store);
  }

  <A, R> AlteredStore with(Procedure<A, R> original, Alteration<A, R> alteration) {
    altered.put(original, new Altered<>(original, alteration));
    return this;
  }

  /** Lets procedures of a name see other rows than there are, or change none. */
  AlteredStore with(String name, UnaryOperator<RowAccess> rows) {
    surroundings.put(name, rows);
    return this;
  }

  @Override
  @SuppressWarnings("unchecked") // with() puts like beside like
  public <A, R> List<Outcome<R>> execute(
      Procedure<A, R> procedure, List<A> arguments, Durability durability) {
    Procedure<?, ?> run = altered.getOrDefault(procedure, procedure);
    UnaryOperator<RowAccess> around = surroundings.get(procedure.name());
    if (around != null) {
      run =
          new Altered<A, R>(procedure, (original, rows, a) -> original.run(around.apply(rows), a));
    }
    return store.execute((Procedure<A, R>) run, arguments, durability);
  }

  /** Rows that cannot be changed. */
  static RowAccess mute(RowAccess rows) {
    return new ForwardingAccess(rows) {
      @Override
      public void put(Row row, ColumnName column, long version, Bytes value) {}
    };
  }

  private record Altered<A, R>(Procedure<A, R> original, Alteration<A, R> alteration)
      implements Procedure<A, R> {
    @Override
    public String name() {
      return original.name();
    }

    @Override
    public List<Row> rows(A argument) {
      return original.rows(argument);
    }

    @Override
    public long snapshot(A argument) {
      return original.snapshot(argument);
    }

    /** A bug declares nothing. */
    @Override
    public long highest(A argument) {
      return Long.MAX_VALUE;
    }

    @Override
    public boolean readOnly() {
      return original.readOnly();
    }

    @Override
    public boolean excludesOthers(A argument) {
      return original.excludesOthers(argument);
    }

    @Override
    public R run(RowAccess rows, A argument) {
      return alteration.run(original, rows, argument);
    }

    @Override
    public Codec<A> argumentCodec() {
      return original.argumentCodec();
    }

    @Override
    public Codec<R> resultCodec() {
      return original.resultCodec();
    }
  }
}
