package io.braid;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.store.Durability;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.store.ReplaceCell;
import io.braid.core.store.TabletUnavailableException;
import io.braid.indexes.Index;
import io.braid.indexes.Index.Kind;
import io.braid.testkit.MemoryOptions;
import io.braid.testkit.MemoryStore;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Steps of an index whose answers are lost. */
class IndexStepTest {
  private static final Column<String> CITY = Column.of("f", "city", Codecs.utf8());

  /**
   * The builder's own step, once its answer was lost, looks like another process' step: the pin
   * under which it is to be built stays, or what is to be read at the fence might be collected.
   */
  @Test
  void whoLosesTheAnswerToAStepKeepsThePinOfItsFence() {
    Losing store = new Losing(new MemoryStore(MemoryOptions.defaults()));
    try (Braid db = Braid.over(store, BraidConfig.defaults())) {
      db.ensureTable("people", "f");
      db.run(
          tx -> {
            tx.set(Row.of("people", "ada"), CITY, "Ulm");
            return 0;
          });
      store.losing = true;
      int overtaken = 0;
      while (db.indexes().all().stream().noneMatch(Index::ready)) {
        try {
          db.indexes().create("i", "people", CITY.name(), Kind.LOCAL, seen -> {});
        } catch (TabletUnavailableException e) {
          overtaken++;
          assertThat(store.lost).isEqualTo(overtaken);
          assertThat(db.transactions().pins()).as("of the fence").hasSize(1);
        }
      }
      assertThat(overtaken).isBetween(2, 5);
      db.indexes().create("i", "people", CITY.name(), Kind.LOCAL, seen -> {});
      assertThat(db.transactions().pins()).isEmpty();
      assertThat(db.indexes().all()).singleElement().matches(Index::ready);
    }
  }

  /** Loses every other answer to a change of an index. */
  private static final class Losing extends ForwardingStore {
    boolean losing;
    int lost;

    /** Its definition comes first, which is no step. */
    private boolean lostLast = true;

    Losing(MemoryStore store) {
      super(store);
    }

    @Override
    public <A, R> List<Outcome<R>> execute(
        Procedure<A, R> procedure, List<A> arguments, Durability durability) {
      List<Outcome<R>> done = super.execute(procedure, arguments, durability);
      if (losing && arguments.get(0) instanceof ReplaceCell.Request change) {
        lostLast = change.row().key().toUtf8().startsWith("index/") && !lostLast;
        if (lostLast) {
          lost++;
          return List.of(Outcome.unknown("the answer was lost"));
        }
      }
      return done;
    }
  }
}
