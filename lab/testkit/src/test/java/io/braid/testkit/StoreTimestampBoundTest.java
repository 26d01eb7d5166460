package io.braid.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.cells.Families;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.store.StoreException;
import io.braid.core.time.LocalOracle;
import io.braid.core.time.StoreTimestampBound;
import io.braid.core.time.TimestampBound;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Faults 2 and 3: the bound of the timestamps, as it stands in a store. */
class StoreTimestampBoundTest {
  private final MemoryStore store = new MemoryStore(MemoryOptions.defaults().withLog());
  private final TimestampBound bound = new StoreTimestampBound(store);

  @BeforeEach
  void create() {
    store.ensureTable(Families.system());
  }

  @Test
  void itIsZeroAtFirstAndRaisedFromWhatItIs() {
    assertThat(bound.read()).isZero();
    assertThat(bound.raise(0, 100)).isTrue();
    assertThat(bound.read()).isEqualTo(100);
    assertThat(bound.raise(0, 200)).isFalse();
    assertThat(bound.raise(100, 200)).isTrue();
    assertThat(bound.read()).isEqualTo(200);
  }

  @Test
  void aRepeatedRaiseIsAnsweredAsTheFirst() {
    assertThat(bound.raise(0, 100)).isTrue();
    assertThat(bound.raise(0, 100)).isTrue();
    assertThat(bound.read()).isEqualTo(100);
  }

  @Test
  void itNeverGoesDown() {
    bound.raise(0, 100);
    assertThatThrownBy(() -> bound.raise(100, 99)).isInstanceOf(IllegalArgumentException.class);
    assertThat(bound.read()).isEqualTo(100);
  }

  @Test
  void aRaiseSurvivesTheDeathOfTheMachine() {
    bound.raise(0, 100);
    store.crash();
    assertThat(bound.read()).isEqualTo(100);
  }

  @Test
  void noTimestampRepeatsOverCrashesOfTheMachine() {
    List<Long> issued = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      LocalOracle oracle = new LocalOracle(new StoreTimestampBound(store), new SystemSeams());
      issued.add(oracle.next());
      issued.add(oracle.next(1000));
      store.crash();
    }
    assertThat(issued).doesNotHaveDuplicates().isSorted();
  }

  /** A raise to where the bound stands counts as done: so no two may want to go to one place. */
  @Test
  void twoHoldersThatBeginInTheSameInstantShareNothing() {
    for (int i = 0; i < 100; i++) {
      LocalOracle one = new LocalOracle(bound, new SystemSeams());
      LocalOracle two = new LocalOracle(bound, new SystemSeams());
      assertThat(two.next()).isNotEqualTo(one.next());
    }
  }

  @Test
  void aLostAnswerIsNoAnswer() {
    CellStore deaf =
        new ForwardingStore(store) {
          @Override
          public <A, R> List<Outcome<R>> execute(
              Procedure<A, R> procedure, List<A> arguments, Durability durability) {
            assertThat(durability).isEqualTo(Durability.SYNCED);
            super.execute(procedure, arguments, durability);
            return List.of(Outcome.unknown("lost"));
          }
        };
    assertThatThrownBy(() -> new StoreTimestampBound(deaf).raise(0, 100))
        .isInstanceOf(StoreException.class);
    assertThat(bound.read()).isEqualTo(100);
  }
}
