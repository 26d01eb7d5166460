package io.braid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.cells.CellWrite;
import io.braid.core.cells.Intent;
import io.braid.core.cells.RowMutation;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.store.Durability;
import io.braid.core.store.RowRead;
import io.braid.core.transaction.FastOptions;
import io.braid.core.transaction.FastSession.Request;
import io.braid.core.transaction.RowChange;
import io.braid.core.transaction.Snapshot;
import io.braid.omid.rows.FastWrite;
import io.braid.testkit.MemoryStore;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fault 84: no number that a caller brings raises the clock of the store. */
class UnissuedTest {
  private static final Column<Long> A = Column.of("f", "a", Codecs.int64());
  private static final Row ROW = Row.of("t", "r");
  private static final RowMutation MUTATION =
      new RowMutation(
          ROW,
          0,
          List.of(new CellWrite(A.name(), Intent.Kind.DELETE, Bytes.EMPTY, false)),
          List.of());
  private static final long DAY = 0x7DA1;
  private static final long ID = 0x1234_5678_9ABDL;

  private final Braid db =
      Braid.builder()
          .config(BraidConfig.defaults())
          .seams(new SystemSeams())
          .over(new MemoryStore());

  @BeforeEach
  void table() {
    db.ensureTable("t", "f");
    set(1);
  }

  private void set(long value) {
    db.run(
        tx -> {
          tx.set(ROW, A, value);
          return value;
        });
  }

  /** Writes of everybody are still acknowledged where snapshots read them. */
  @AfterEach
  void writesAreStillSeen() {
    db.fast().write(ROW, A, 2L);
    try (Snapshot now = db.snapshot()) {
      assertThat(now.get(ROW, A)).contains(2L);
    }
    set(3);
    assertThat(db.fast().read(ROW, A)).contains(3L);
    db.close();
  }

  @ParameterizedTest
  @ValueSource(longs = {9223372036854775000L, Long.MAX_VALUE, -1, DAY})
  void aTimestampToComeIsRefusedWhereverItComesIn(long given) {
    long wrong = given == DAY ? aDayAhead() : given;
    RowChange change = RowChange.of(ROW).set(A, 7L);

    refused(() -> db.fast(FastOptions.DEFAULT.after(wrong)).write(change));
    refused(() -> db.fast().write(new Request(ID, wrong), change));
    refused(() -> db.fast().writeIf(wrong, change));
    refused(() -> db.transactions().snapshotAt(wrong));
    refused(() -> db.transactions().pin("p", wrong));
    refused(() -> db.loads().store().read(new RowRead(ROW, List.of(), wrong)));
    refused(() -> db.loads().store().advanceClock(wrong));
    refused(() -> db.loads().store().raiseWatermark(wrong));
    refused(
        () ->
            db.loads()
                .store()
                .execute(
                    FastWrite.INSTANCE,
                    List.of(new FastWrite.Request(MUTATION, ID, FastWrite.ANY, wrong)),
                    Durability.BUFFERED));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -3, 1L << 56 | 1, 1L << 40, Long.MAX_VALUE})
  void aNameThatIsNoneIsRefused(long id) {
    assertThatThrownBy(() -> new Request(id, 0)).isInstanceOf(IllegalArgumentException.class);
  }

  private long aDayAhead() {
    return db.oracle().next() + (24L * 3600 * 1000 << 22);
  }

  private static void refused(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .satisfiesAnyOf(
            e ->
                assertThat(e)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("has not given out timestamp"),
            e -> assertThat(e).hasMessageContaining("below 0"));
  }
}
