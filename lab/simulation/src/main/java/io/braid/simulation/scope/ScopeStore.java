package io.braid.simulation.scope;

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
import io.braid.core.store.TableSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The store as a process of a small scope uses it: each item of a call is a step. */
final class ScopeStore extends ForwardingStore {
  private static final String LOST = "The answer was lost.";

  private final ScopeWorld world;

  ScopeStore(ScopeWorld world, CellStore store) {
    super(store);
    this.world = world;
  }

  @Override
  public List<RowCells> read(List<RowRead> requests) {
    List<RowCells> answers = new ArrayList<>();
    for (RowRead request : requests) {
      answers.add(world.step("read " + request.row(), false, () -> store.read(request)));
    }
    return answers;
  }

  @Override
  public RowScanner scan(ScanRequest request) {
    RowScanner scanner = store.scan(request);
    return new RowScanner() {
      @Override
      public @Nullable RowCells next() {
        return world.step("scan", false, () -> Optional.ofNullable(scanner.next())).orElse(null);
      }

      @Override
      public void close() {
        scanner.close();
      }
    };
  }

  @Override
  public List<Outcome<Void>> write(List<RowWrite> writes, Durability durability) {
    List<Outcome<Void>> outcomes = new ArrayList<>();
    for (RowWrite write : writes) {
      outcomes.add(
          world.step(
              "write " + write.row(), true, () -> store.write(List.of(write), durability).get(0)));
    }
    return outcomes;
  }

  @Override
  public <A, R> List<Outcome<R>> execute(
      Procedure<A, R> procedure, List<A> arguments, Durability durability) {
    List<Outcome<R>> outcomes = new ArrayList<>();
    for (A argument : arguments) {
      List<Outcome<R>> done = new ArrayList<>();
      String answer =
          world.step(
              procedure.name() + " " + procedure.rows(argument),
              !procedure.readOnly(),
              procedure.readOnly() ? null : LOST,
              () -> {
                done.addAll(store.execute(procedure, List.of(argument), durability));
                return text(procedure, done.get(0));
              });
      outcomes.add(answer.equals(LOST) ? Outcome.unknown(LOST) : done.get(0));
    }
    return outcomes;
  }

  private static <R> String text(Procedure<?, R> procedure, Outcome<R> outcome) {
    return outcome instanceof Outcome.Done<R> done
        ? "done " + procedure.resultCodec().encode(done.result())
        : outcome.toString();
  }

  @Override
  public void advanceClock(long timestamp) {
    world.step(
        "advance the clock",
        true,
        () -> {
          store.advanceClock(timestamp);
          return "";
        });
  }

  @Override
  public void advanceClock(LongSupplier fresh) {
    advanceClock(fresh.getAsLong());
  }

  @Override
  public List<TableSchema> tables() {
    return world.look("tables", store::tables);
  }

  @Override
  public Optional<TableSchema> table(String name) {
    return world.look("table", () -> store.table(name));
  }

  @Override
  public long epoch(String table) {
    return world.look("epoch", () -> store.epoch(table));
  }
}
