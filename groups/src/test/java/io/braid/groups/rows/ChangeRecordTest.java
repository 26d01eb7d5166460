package io.braid.groups.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.cells.Families;
import io.braid.core.data.Row;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.testkit.MemoryStore;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Fault 38, at the record. */
class ChangeRecordTest {
  private static final GroupRecord FORMING =
      new GroupRecord("g", 7, 1, Row.of("t", "r"), GroupState.FORMING, 1, "a", "store", 0, 0);

  private final MemoryStore store = new MemoryStore();

  private boolean change(long expectedEpoch, GroupRecord to) {
    Outcome<Boolean> outcome =
        store.execute(
            ChangeRecord.INSTANCE,
            new ChangeRecord.Request("g", 7, expectedEpoch, to.encode(), List.of()),
            Durability.BUFFERED);
    return outcome instanceof Outcome.Done<Boolean> done && done.result();
  }

  @Test
  void deletionIsNotCalledBackByATakeoverFromWhatWasReadBefore() {
    store.ensureTable(Families.system());
    GroupRecord live = FORMING.with(GroupState.LIVE, 1);
    GroupRecord deleting = live.with(GroupState.DELETING, 1);
    assertThat(change(0, FORMING)).isTrue();
    assertThat(change(1, live)).isTrue();
    assertThat(change(1, deleting)).isTrue();
    assertThat(change(1, live.takenOverBy("b", "store"))).isFalse();
    assertThat(change(1, live)).as("resent").isFalse();
    assertThat(change(1, deleting.takenOverBy("b", "store"))).isTrue();
  }
}
