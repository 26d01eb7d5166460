package io.braid.testkit.contract;

import io.braid.core.data.Codec;
import io.braid.core.data.Row;
import io.braid.core.store.Procedure;
import java.util.List;

/** A procedure that is another but for how it runs. */
abstract class ForwardingProcedure<A, R> implements Procedure<A, R> {
  private final Procedure<A, R> procedure;

  ForwardingProcedure(Procedure<A, R> procedure) {
    this.procedure = procedure;
  }

  @Override
  public String name() {
    return procedure.name();
  }

  @Override
  public List<Row> rows(A argument) {
    return procedure.rows(argument);
  }

  @Override
  public long snapshot(A argument) {
    return procedure.snapshot(argument);
  }

  @Override
  public long highest(A argument) {
    return procedure.highest(argument);
  }

  @Override
  public boolean readOnly() {
    return procedure.readOnly();
  }

  @Override
  public boolean excludesOthers(A argument) {
    return procedure.excludesOthers(argument);
  }

  @Override
  public Codec<A> argumentCodec() {
    return procedure.argumentCodec();
  }

  @Override
  public Codec<R> resultCodec() {
    return procedure.resultCodec();
  }
}
