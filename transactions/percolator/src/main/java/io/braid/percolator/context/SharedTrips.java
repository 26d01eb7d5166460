package io.braid.percolator.context;

import io.braid.core.protocol.Backoff;
import io.braid.core.protocol.Trips;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;
import io.braid.core.store.CellStore;
import io.braid.core.store.DamagedCellException;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.store.UnknownTableException;
import io.braid.percolator.rows.Prewrite;
import io.braid.percolator.rows.SnapshotRead;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Trips to the store that delay calls a little, so that concurrent transactions share one trip
 * (Percolator, section 2.5). There are fewer trips, but each call takes longer. Worth it where a
 * store is reached over a network.
 *
 * <p>The first caller waits for the delay, or until the batch is full, and sends for all. A caller
 * that is interrupted meanwhile leaves with an unknown outcome: its call may still be made.
 */
public final class SharedTrips extends Trips {
  private static final Duration NUDGE = Duration.ofSeconds(1);

  private record Kind(String procedure, Durability durability) {}

  private final Seams seams;
  private final PercolatorOptions.Savings savings;
  // Guarded by this.
  private final Map<Kind, Batch<?, ?>> gathering = new LinkedHashMap<>();

  public SharedTrips(
      CellStore store, LongAdder count, Seams seams, PercolatorOptions.Savings savings) {
    super(store, count);
    this.seams = seams;
    this.savings = savings;
  }

  /** The calls of one trip. */
  private static final class Batch<A, R> {
    private final List<A> arguments = new ArrayList<>();
    private final List<Signal> members = new ArrayList<>();
    private final Signal leader;
    private boolean full;
    private @Nullable Supplier<List<Outcome<R>>> answer;

    Batch(Signal leader) {
      this.leader = leader;
    }
  }

  /** A caller's place in a batch. */
  private record Part<A, R>(Batch<A, R> batch, int from, int to, Signal signal, boolean leads) {}

  @Override
  public <A, R> Outcome<R> execute(Procedure<A, R> procedure, A argument, Durability durability) {
    return execute(procedure, List.of(argument), durability).get(0);
  }

  @Override
  public <A, R> List<Outcome<R>> execute(
      Procedure<A, R> procedure, List<A> arguments, Durability durability) {
    if (mayWait(procedure)) {
      try {
        return share(procedure, arguments, durability);
      } catch (UnknownTableException | DamagedCellException e) {
        // The error may belong to another transaction: the call is made again, for itself.
      }
    }
    return super.execute(procedure, arguments, durability);
  }

  /**
   * Whether a call may wait for others. Reads and prewrites may. A call may not if its caller holds
   * locks while it waits for the answer.
   */
  private static boolean mayWait(Procedure<?, ?> procedure) {
    return procedure == SnapshotRead.INSTANCE || procedure == Prewrite.INSTANCE;
  }

  /**
   * Returns the outcomes of these arguments.
   *
   * @throws UnknownTableException when one of all calls in the trip met an unknown table; then
   *     nothing happened
   */
  private <A, R> List<Outcome<R>> share(
      Procedure<A, R> procedure, List<A> arguments, Durability durability) {
    Kind kind = new Kind(procedure.name(), durability);
    Part<A, R> part = join(kind, arguments, seams.signal());
    if (part.leads) {
      part.signal.await(savings.batchDelay());
      close(kind, part.batch);
      send(procedure, part.batch, durability);
    }
    while (true) {
      Supplier<List<Outcome<R>>> answer = answerOf(part.batch);
      if (answer != null) {
        return answer.get().subList(part.from, part.to);
      }
      part.signal.await(NUDGE);
      if (Backoff.interrupted()) {
        return unknown(arguments.size(), "Interrupted before the answer came.");
      }
    }
  }

  // A kind names one procedure, so its batch is one of that procedure's.
  @SuppressWarnings("unchecked")
  private synchronized <A, R> Part<A, R> join(Kind kind, List<A> arguments, Signal signal) {
    Batch<A, R> batch = (Batch<A, R>) gathering.get(kind);
    boolean leads = batch == null || batch.full;
    if (batch == null || batch.full) {
      batch = new Batch<>(signal);
      gathering.put(kind, batch);
    } else {
      batch.members.add(signal);
    }
    int from = batch.arguments.size();
    batch.arguments.addAll(arguments);
    if (batch.arguments.size() >= savings.batchMost()) {
      batch.full = true;
      batch.leader.raise();
    }
    return new Part<>(batch, from, batch.arguments.size(), signal, leads);
  }

  /** Closes a batch: no call joins any more. */
  private synchronized void close(Kind kind, Batch<?, ?> batch) {
    batch.full = true;
    gathering.remove(kind, batch);
  }

  private <A, R> void send(Procedure<A, R> procedure, Batch<A, R> batch, Durability durability) {
    Supplier<List<Outcome<R>>> answer;
    try {
      List<Outcome<R>> outcomes = super.execute(procedure, batch.arguments, durability);
      answer = () -> outcomes;
    } catch (UnknownTableException | DamagedCellException e) {
      answer =
          () -> {
            throw e;
          };
    } catch (RuntimeException | Error e) {
      List<Outcome<R>> unknown = unknown(batch.arguments.size(), e.toString());
      answered(batch, () -> unknown).forEach(Signal::raise);
      throw e;
    }
    answered(batch, answer).forEach(Signal::raise);
  }

  private synchronized <A, R> List<Signal> answered(
      Batch<A, R> batch, Supplier<List<Outcome<R>>> answer) {
    batch.answer = answer;
    return batch.members;
  }

  private synchronized <A, R> @Nullable Supplier<List<Outcome<R>>> answerOf(Batch<A, R> batch) {
    return batch.answer;
  }

  private static <R> List<Outcome<R>> unknown(int count, String detail) {
    List<Outcome<R>> unknown = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      unknown.add(Outcome.unknown(detail));
    }
    return unknown;
  }
}
