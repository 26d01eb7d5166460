package io.braid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.store.Durability;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.store.ReplaceCell;
import io.braid.core.store.TabletUnavailableException;
import io.braid.indexes.Index.Kind;
import io.braid.testkit.MemoryOptions;
import io.braid.testkit.MemoryStore;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A process stands still right after it has stored a step of an index. Its locks lapse; others end
 * that move, and the next.
 */
class StalledMoveTest {
  private static final Column<String> CITY = Column.of("f", "city", Codecs.utf8());
  private static final String NAME = "people.city";
  private static final Bytes TEN = Bytes.of("10");
  private static final Bytes TWENTY = Bytes.of("20");

  private final MemoryStore memory = new MemoryStore(MemoryOptions.defaults());

  /** Stands still when it has taken its step with this number. */
  private final class Stalling extends ForwardingStore {
    private int steps = -1;
    private final int stalled;

    Stalling(int stalled) {
      super(memory);
      this.stalled = stalled;
    }

    @Override
    public <A, R> List<Outcome<R>> execute(
        Procedure<A, R> procedure, List<A> arguments, Durability durability) {
      List<Outcome<R>> done = super.execute(procedure, arguments, durability);
      if (steps >= 0
          && arguments.get(0) instanceof ReplaceCell.Request change
          && change.row().key().toUtf8().startsWith("index/")
          && ++steps == stalled) {
        moveOn();
      }
      return done;
    }
  }

  /** What others do: the tablet from 20 on is merged, and one is cut at 10. */
  private void moveOn() {
    try (Braid other = Braid.over(new Shared(memory), BraidConfig.defaults())) {
      other.indexes().follow(NAME, rows -> {});
      memory.mergeTablet("people", TWENTY);
      memory.splitTablet("people", TEN);
      other.indexes().follow(NAME, rows -> {});
    }
  }

  /** Is not closed with who uses it. */
  private static final class Shared extends ForwardingStore {
    Shared(MemoryStore store) {
      super(store);
    }

    @Override
    public void close() {}
  }

  /** Its removals would meet the index rows that stand there again. */
  @Test
  void whoStoodStillBeforeItsRemovalsRemovesNothing() {
    requireWhole(2);
  }

  private void requireWhole(int stalled) {
    Stalling store = new Stalling(stalled);
    try (Braid db = Braid.over(store, BraidConfig.defaults())) {
      db.ensureTable("people", "f");
      memory.splitTablet("people", TEN);
      db.run(
          tx -> {
            for (int i = 0; i < 30; i++) {
              tx.set(row(i), CITY, "Ulm");
            }
            return 0;
          });
      db.indexes().create(NAME, "people", CITY.name(), Kind.LOCAL, seen -> {});
      memory.mergeTablet("people", TEN);
      memory.splitTablet("people", TWENTY);
      store.steps = 0;
      assertThatThrownBy(() -> db.indexes().follow(NAME, rows -> {}))
          .isInstanceOf(TabletUnavailableException.class)
          .hasMessageContaining("Another process changes index");
      store.steps = -1;
      try (Braid reader = Braid.over(new Shared(memory), BraidConfig.defaults())) {
        reader.indexes().follow(NAME, rows -> {});
        List<Row> found = reader.indexes().find(reader.snapshot(), "people", CITY, "Ulm");
        assertThat(found).hasSize(30).doesNotHaveDuplicates();
        assertThat(reader.transactions().pins()).isEmpty();
        reader.run(
            tx -> {
              tx.delete(row(15), CITY);
              return 0;
            });
        assertThat(reader.indexes().find(reader.snapshot(), "people", CITY, "Ulm"))
            .hasSize(29)
            .doesNotContain(row(15));
      }
    }
  }

  private static Row row(int i) {
    return Row.of("people", String.format("%02d", i));
  }
}
