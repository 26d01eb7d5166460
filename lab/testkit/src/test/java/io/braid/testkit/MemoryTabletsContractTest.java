package io.braid.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.RowRead;
import io.braid.core.store.TabletClock;
import io.braid.core.time.Timestamp;
import io.braid.testkit.MemoryStore.Reach;
import io.braid.testkit.contract.CellStoreContract;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The laws on the store in memory, a clock for each tablet and procedures within one. */
class MemoryTabletsContractTest extends CellStoreContract {
  private static final Bytes CUT = Bytes.of("m");

  @Override
  protected CellStore open() {
    return new MemoryStore(Reach.TABLET);
  }

  @Override
  protected CellStore reopen(CellStore store) {
    store.close();
    ((MemoryStore) store).restart();
    return store;
  }

  @Override
  public boolean reachesAcrossTablets() {
    return false;
  }

  /** Fault 22: the clock of a merged tablet stands above what either has served. */
  @ParameterizedTest
  @ValueSource(strings = {"a", "z"})
  void mergedTabletDrawsAboveWhatEitherHasServed(String reader) {
    store().splitTablet(TABLE, CUT);
    store().advanceClock(T);
    long snapshot = T + 5 * Timestamp.STEP;
    store().read(new RowRead(Row.of(TABLE, reader), List.of(everything()), snapshot));

    ((MemoryStore) store()).mergeTablet(TABLE, CUT);

    assertThat(store().tablets(TABLE)).hasSize(1);
    assertThat(draw(A, T)).isGreaterThan(snapshot);
    assertThat(draw(Z, T)).isGreaterThan(snapshot);
  }

  /** Fault 22: a tablet that has moved, and one that it is merged into, wait for a timestamp. */
  @Test
  void movedTabletDrawsNothingBeforeAFreshTimestampNorDoesOneMergedWithIt() {
    store().splitTablet(TABLE, CUT);
    store().advanceClock(T);

    ((MemoryStore) store()).moveTablet(TABLE, Z.key());

    assertThat(draw(Z, T)).isEqualTo(TabletClock.EXHAUSTED);
    assertThat(draw(A, T)).isGreaterThan(T);
    ((MemoryStore) store()).mergeTablet(TABLE, CUT);
    assertThat(draw(A, T)).isEqualTo(TabletClock.EXHAUSTED);
    store().advanceClock(T + Timestamp.STEP);
    assertThat(draw(A, T)).isGreaterThan(T + Timestamp.STEP);
  }
}
