package io.braid.testkit.hostile;

import io.braid.core.runtime.Seams;
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
import io.braid.core.store.Tablet;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Takes its time: waits before a call reaches the store and before its answer comes back. */
public final class DelayingStore extends ForwardingStore {
  private final Seams seams;
  private final Strike strike;
  private final Duration most;

  /**
   * @param strike asked twice for each call: on the way there, on the way back
   * @param most the longest wait each way; how long is drawn from the seams
   */
  public DelayingStore(CellStore store, Seams seams, Strike strike, Duration most) {
    super(store);
    this.seams = seams;
    this.strike = strike;
    this.most = most;
  }

  @Override
  public List<RowCells> read(List<RowRead> requests) {
    return delayed(Strike.READ, () -> super.read(requests));
  }

  @Override
  public <A, R> List<Outcome<R>> execute(
      Procedure<A, R> procedure, List<A> arguments, Durability durability) {
    return delayed(procedure.name(), () -> super.execute(procedure, arguments, durability));
  }

  @Override
  public List<Outcome<Void>> write(List<RowWrite> writes, Durability durability) {
    return delayed(Call.WRITE, () -> super.write(writes, durability));
  }

  @Override
  public List<Tablet> tablets(String table) {
    return delayed(Strike.TABLETS, () -> super.tablets(table));
  }

  @Override
  public RowScanner scan(ScanRequest request) {
    RowScanner scanner = delayed(Strike.SCAN, () -> super.scan(request));
    return new RowScanner() {
      @Override
      public @Nullable RowCells next() {
        pause(Strike.NEXT);
        RowCells row = scanner.next();
        pause(Strike.NEXT);
        return row;
      }

      @Override
      public void close() {
        scanner.close();
      }
    };
  }

  private <T> T delayed(String call, Supplier<T> body) {
    pause(call);
    T answer = body.get();
    pause(call);
    return answer;
  }

  private void pause(String call) {
    if (strike.strikes(call)) {
      seams.sleep(Duration.ofNanos(1 + seams.random().nextLong(most.toNanos())));
    }
  }
}
