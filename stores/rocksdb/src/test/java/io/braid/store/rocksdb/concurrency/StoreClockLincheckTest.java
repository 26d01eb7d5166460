package io.braid.store.rocksdb.concurrency;

import io.braid.core.time.Timestamp;
import java.util.concurrent.ConcurrentSkipListSet;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/**
 * Fault 22, every interleaving of small scenarios: a commit draws its version and applies it in two
 * steps, a reader waits and then looks, and still they behave as if each happened at one instant.
 */
public class StoreClockLincheckTest {
  private static final long T = 1000 * Timestamp.STEP;

  private final StoreClock clock = new StoreClock();
  private final ConcurrentSkipListSet<Long> applied = new ConcurrentSkipListSet<>();

  public StoreClockLincheckTest() {
    clock.advance(T);
  }

  @Operation
  public long commit() {
    long version = clock.next(0);
    applied.add(version);
    clock.settle(version);
    return version - T;
  }

  @Operation
  public int readAtTwo() {
    return read(T + 2);
  }

  @Operation
  public int readAtFour() {
    return read(T + 4);
  }

  private int read(long snapshot) {
    clock.awaitSnapshot(snapshot);
    return applied.headSet(snapshot, true).size();
  }

  @Test
  void commitsAndReadsAreLinearizable() {
    new ModelCheckingOptions()
        .threads(2)
        .actorsBefore(0)
        .actorsPerThread(2)
        .actorsAfter(0)
        .iterations(8)
        .invocationsPerIteration(300)
        .check(StoreClockLincheckTest.class);
  }
}
