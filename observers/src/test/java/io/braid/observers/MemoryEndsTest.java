package io.braid.observers;

import static io.braid.observers.Town.A;
import static io.braid.observers.Town.B;
import static io.braid.observers.Town.TABLE;
import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A process whose memory ended for a moment goes on observing when there is some again. */
@Timeout(value = 50, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MemoryEndsTest {
  /** Has no memory for what observers ask, for a while. */
  private static final class Scarce extends ForwardingStore {
    private final AtomicInteger failures = new AtomicInteger();

    Scarce(CellStore store) {
      super(store);
    }

    private void fail() {
      if (Thread.currentThread().getName().startsWith("braid-observer")
          && failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        throw new OutOfMemoryError("on purpose");
      }
    }

    @Override
    public List<RowCells> read(List<RowRead> requests) {
      fail();
      return super.read(requests);
    }

    @Override
    public RowScanner scan(ScanRequest request) {
      fail();
      return super.scan(request);
    }

    @Override
    public <A, R> List<Outcome<R>> execute(
        Procedure<A, R> procedure, List<A> arguments, Durability durability) {
      fail();
      return super.execute(procedure, arguments, durability);
    }

    @Override
    public <A, R> Outcome<R> execute(Procedure<A, R> procedure, A argument, Durability durability) {
      fail();
      return super.execute(procedure, argument, durability);
    }
  }

  @Test
  void noTaskOfObserversEndsWithAnError() {
    try (Town town = new Town()) {
      Scarce store = new Scarce(town.memory);
      Town.Process process = town.process("p", store, town.locks, Town.quick());
      process.observers.register(
          Observer.of("copy", TABLE, A, (tx, row) -> tx.set(row, B, tx.get(row, A).orElse(""))));
      process.start();
      store.failures.set(40);
      for (int i = 0; i < 20; i++) {
        process.set("r" + i, A, "v" + i);
      }
      assertThat(process.awaitIdle()).isTrue();
      assertThat(store.failures).hasValue(0);
      for (int i = 0; i < 20; i++) {
        assertThat(process.get("r" + i, B)).isEqualTo("v" + i);
      }
      assertThat(town.notifications()).isEmpty();
    }
  }
}
