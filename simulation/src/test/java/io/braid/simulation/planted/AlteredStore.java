package io.braid.simulation.planted;

import io.braid.core.data.Codec;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowAccess;
import io.braid.testkit.ForwardingStore;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A store that runs some procedures in another way than they are written. */
final class AlteredStore extends ForwardingStore {
  /** What is run instead of a procedure. */
  @FunctionalInterface
  interface Alteration<A, R> {
    R run(Procedure<A, R> original, RowAccess rows, A argument);
  }

  private final Map<Procedure<?, ?>, Procedure<?, ?>> altered = new LinkedHashMap<>();

  AlteredStore(CellStore store) {
    super(store);
  }

  <A, R> AlteredStore with(Procedure<A, R> original, Alteration<A, R> alteration) {
    altered.put(original, new Altered<>(original, alteration));
    return this;
  }

  @Override
  @SuppressWarnings("unchecked") // with() puts like beside like
  public <A, R> List<Outcome<R>> execute(
      Procedure<A, R> procedure, List<A> arguments, Durability durability) {
    Procedure<?, ?> run = altered.getOrDefault(procedure, procedure);
    return store.execute((Procedure<A, R>) run, arguments, durability);
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

    @Override
    public boolean readOnly() {
      return original.readOnly();
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
