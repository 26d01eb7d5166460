package io.braid.testkit;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codec;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apiguardian.api.API;

/**
 * Sends every argument and every result of a procedure through its codec, as stores do that run
 * procedures in another process, and fails when anything is lost on the way: the decoded argument
 * must name the same rows and the same snapshot, encode to the same bytes, and no two procedures
 * may share a name.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class CodecCheckingStore extends ForwardingStore {
  private final Map<String, Class<?>> procedures = new ConcurrentHashMap<>();

  public CodecCheckingStore(CellStore store) {
    super(store);
  }

  @Override
  public <A, R> List<Outcome<R>> execute(
      Procedure<A, R> procedure, List<A> arguments, Durability durability) {
    checkName(procedure);
    List<A> received = new ArrayList<>(arguments.size());
    for (A argument : arguments) {
      received.add(throughCodec(procedure, argument));
    }
    List<Outcome<R>> outcomes = new ArrayList<>(arguments.size());
    for (Outcome<R> outcome : super.execute(procedure, received, durability)) {
      outcomes.add(
          outcome instanceof Outcome.Done<R> done
              ? Outcome.done(through(procedure.name(), procedure.resultCodec(), done.result()))
              : outcome);
    }
    return outcomes;
  }

  private void checkName(Procedure<?, ?> procedure) {
    Class<?> known = procedures.putIfAbsent(procedure.name(), procedure.getClass());
    if (known != null && known != procedure.getClass()) {
      throw new AssertionError(
          known + " and " + procedure.getClass() + " share the name " + procedure.name() + ".");
    }
  }

  private static <A> A throughCodec(Procedure<A, ?> procedure, A argument) {
    A received = through(procedure.name(), procedure.argumentCodec(), argument);
    if (!procedure.rows(received).equals(procedure.rows(argument))
        || procedure.snapshot(received) != procedure.snapshot(argument)) {
      throw new AssertionError(
          "Rows or snapshot of procedure "
              + procedure.name()
              + " are lost in its codec: "
              + argument
              + " became "
              + received);
    }
    return received;
  }

  private static <T> T through(String procedure, Codec<T> codec, T value) {
    Bytes sent = codec.encode(value);
    T received = codec.decode(sent);
    if (!codec.encode(received).equals(sent)) {
      throw new AssertionError(
          "A codec of procedure "
              + procedure
              + " loses something: "
              + value
              + " became "
              + received);
    }
    return received;
  }
}
