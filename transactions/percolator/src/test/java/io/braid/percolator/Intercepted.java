package io.braid.percolator;

import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowScanner;
import io.braid.core.store.RowWrite;
import io.braid.core.store.ScanRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** A store whose procedure calls a test can watch, lose, hold back and repeat. */
final class Intercepted extends ForwardingStore {
  final List<Call<?, ?>> calls = new ArrayList<>();
  final List<Call<?, ?>> held = new ArrayList<>();
  int trips;
  boolean resends = true;
  Interceptor interceptor = Interceptor.PASS;

  @Override
  public boolean resends() {
    return resends;
  }

  /** One item of a call. */
  record Call<A, R>(CellStore store, Procedure<A, R> procedure, A argument, Durability durability) {
    /**
     * Runs it as a store in another process would: what goes in and out goes through the codecs.
     */
    Outcome<R> run() {
      A received = procedure.argumentCodec().decode(procedure.argumentCodec().encode(argument));
      Outcome<R> outcome = store.execute(procedure, received, durability);
      return outcome instanceof Outcome.Done<R> done
          ? Outcome.done(
              procedure.resultCodec().decode(procedure.resultCodec().encode(done.result())))
          : outcome;
    }

    boolean is(Procedure<?, ?> other) {
      return procedure == other;
    }

    boolean on(Row row) {
      return procedure.rows(argument).contains(row);
    }
  }

  /** Runs items of calls, or does not. */
  interface Interceptor {
    Interceptor PASS = Call::run;

    <A, R> Outcome<R> execute(Call<A, R> call);
  }

  /** The outcome of an item of a call. */
  enum Fate {
    RUN,
    /** Refused: the tablet is away. */
    REFUSE,
    /** Neither executed nor answered. */
    LOSE,
    /** Executed, but not answered. */
    LOSE_ANSWER,
    /** Not answered, and executed only when the test says so. */
    HOLD,
    /** The caller dies before it was executed. */
    CRASH,
    /** The caller dies after it was executed. */
    CRASH_AFTER
  }

  /** The caller has died. */
  static final class Crash extends Error {
    private static final long serialVersionUID = 1;
  }

  /** Decides on the fate of each item of a call. */
  void fate(Function<Call<?, ?>, Fate> fate) {
    interceptor =
        new Interceptor() {
          @Override
          public <A, R> Outcome<R> execute(Call<A, R> call) {
            return suffer(call, fate.apply(call));
          }
        };
  }

  /** The fate of the first {@code count} calls of a procedure; all others run. */
  void fateOf(Procedure<?, ?> procedure, int count, Fate fate) {
    AtomicInteger left = new AtomicInteger(count);
    fate(call -> call.is(procedure) && left.getAndDecrement() > 0 ? fate : Fate.RUN);
  }

  void heal() {
    interceptor = Interceptor.PASS;
  }

  /** Runs what was held. */
  void release() {
    List<Call<?, ?>> late = new ArrayList<>(held);
    held.clear();
    late.forEach(Call::run);
  }

  private <A, R> Outcome<R> suffer(Call<A, R> call, Fate fate) {
    switch (fate) {
      case REFUSE:
        return Outcome.notExecuted(Outcome.Reason.UNAVAILABLE, "the tablet is away");
      case LOSE:
        return Outcome.unknown("lost");
      case LOSE_ANSWER:
        call.run();
        return Outcome.unknown("answer lost");
      case HOLD:
        held.add(call);
        return Outcome.unknown("held");
      case CRASH:
        throw new Crash();
      case CRASH_AFTER:
        call.run();
        throw new Crash();
      default:
        return call.run();
    }
  }

  Intercepted(CellStore store) {
    super(store);
  }

  @Override
  public <A, R> List<Outcome<R>> execute(
      Procedure<A, R> procedure, List<A> arguments, Durability durability) {
    trips++;
    List<Outcome<R>> outcomes = new ArrayList<>();
    for (A argument : arguments) {
      Call<A, R> call = new Call<>(store, procedure, argument, durability);
      calls.add(call);
      outcomes.add(interceptor.execute(call));
    }
    return outcomes;
  }

  /** How many items of this procedure were called. */
  long count(Procedure<?, ?> procedure) {
    return calls.stream().filter(call -> call.is(procedure)).count();
  }

  @Override
  public List<RowCells> read(List<RowRead> requests) {
    trips++;
    return store.read(requests);
  }

  @Override
  public RowScanner scan(ScanRequest request) {
    trips++;
    return store.scan(request);
  }

  @Override
  public List<Outcome<Void>> write(List<RowWrite> writes, Durability durability) {
    trips++;
    return store.write(writes, durability);
  }
}
