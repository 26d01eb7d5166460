package io.braid.observers;

import static io.braid.observers.Town.A;
import static io.braid.observers.Town.TABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.runtime.AdvisoryLocks;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.UnknownTableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Registrations that come late, and tasks that meet errors that they do not know. */
@ExtendWith(SilentDeaths.class)
class RegistrationTest {
  private final Town town = new Town();

  @AfterEach
  void close() {
    town.close();
  }

  /** Keeps the calls that change registrations, to send them again. */
  private static final class Recording extends ForwardingStore {
    private final List<Runnable> changes = new ArrayList<>();

    Recording(CellStore store) {
      super(store);
    }

    @Override
    public <A, R> List<Outcome<R>> execute(
        Procedure<A, R> procedure, List<A> arguments, Durability durability) {
      if (procedure.name().equals("observers.change-registration")) {
        changes.add(() -> super.execute(procedure, arguments, durability));
      }
      return super.execute(procedure, arguments, durability);
    }
  }

  @Test
  void whatWasRemovedOrResumedDoesNotComeBackWithALateCall() {
    Recording store = new Recording(town.memory);
    Town.Process process = town.process("p", store, town.locks, Town.quick());
    process.observers.register(Observer.of("one", TABLE, A, (tx, row) -> {}));
    process.observers.operations().pause("one");
    process.observers.operations().resume("one");
    List.copyOf(store.changes).forEach(Runnable::run);
    assertThat(process.observers.operations().list())
        .singleElement()
        .satisfies(status -> assertThat(status.paused()).isFalse());
    process.observers.unregister("one");
    List.copyOf(store.changes).forEach(Runnable::run);
    assertThat(process.observers.operations().list()).isEmpty();
    process.observers.register(Observer.of("one", TABLE, A, (tx, row) -> {}));
    List.copyOf(store.changes).forEach(Runnable::run);
    assertThat(process.observers.operations().list()).hasSize(1);
  }

  @Test
  void anObserverOfATableOrFamilyThatDoesNotExistIsRefused() {
    Town.Process process = town.process("p");
    assertThatThrownBy(
            () -> process.observers.register(Observer.of("o", "nowhere", A, (tx, row) -> {})))
        .isInstanceOf(UnknownTableException.class)
        .hasMessageContaining("no table nowhere")
        .hasMessageContaining("create it first");
    Column<String> elsewhere = Column.of("g", "a", Codecs.utf8());
    assertThatThrownBy(
            () -> process.observers.register(Observer.of("o", TABLE, elsewhere, (tx, row) -> {})))
        .isInstanceOf(UnknownTableException.class)
        .hasMessageContaining("no family g");
    assertThat(process.observers.operations().list()).isEmpty();
  }

  /** Fails in a way that no store should, as often as it is told. */
  private static final class Odd extends ForwardingStore {
    private final AtomicInteger failures = new AtomicInteger();

    Odd(CellStore store) {
      super(store);
    }

    @Override
    public RowScanner scan(ScanRequest request) {
      if (failures.getAndDecrement() > 0) {
        throw new IllegalArgumentException("This is no error that a store throws.");
      }
      return super.scan(request);
    }
  }

  /** Faults 30, 34: neither a scanner, nor a worker, nor the registry ends silently. */
  @Test
  void noTaskEndsByAnErrorThatItDoesNotKnow() {
    Odd store = new Odd(town.memory);
    AtomicInteger locked = new AtomicInteger(5);
    AdvisoryLocks odd =
        new AdvisoryLocks() {
          @Override
          public boolean tryLock(String name, String owner) {
            if (locked.getAndDecrement() > 0) {
              throw new IllegalArgumentException("This is no error that locks throw.");
            }
            return town.locks.tryLock(name, owner);
          }

          @Override
          public void unlock(String name, String owner) {
            town.locks.unlock(name, owner);
          }
        };
    Town.Process process = town.process("p", store, odd, Town.quick().workers(1));
    AtomicInteger runs = new AtomicInteger();
    process.observers.register(Observer.of("count", TABLE, A, (tx, row) -> runs.incrementAndGet()));
    process.set("before", A, "1");
    process.start();
    store.failures.set(20);
    process.set("a", A, "1");
    while (store.failures.get() > 0 || locked.get() > 0 || runs.get() < 2) {
      process.seams.sleep(Duration.ofMillis(5));
    }
    // Another process registers, and writes: the registry and the scanner have to find out.
    Town.Process other = town.process("q");
    other.observers.register(Observer.of("late", TABLE, A, (tx, row) -> {}));
    other.set("b", A, "1");
    while (runs.get() < 3) {
      process.seams.sleep(Duration.ofMillis(5));
    }
    assertThat(process.get("b", A)).isEqualTo("1");
  }
}
