package io.braid;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.store.Durability;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.transaction.Snapshot;
import io.braid.indexes.Index;
import io.braid.percolator.rows.CommitRow;
import io.braid.testkit.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Faults 9, 16: tables and indexes are dropped while commits whose primaries lie in them have yet
 * to be carried out in other tables.
 */
class DropTest {
  private static final Row BOB = Row.of("people", "bob");
  private static final Column<String> CITY = Column.of("f", "city", Codecs.utf8());

  /** Nothing is carried out behind the commit point, as if everybody were slow. */
  private static final class SlowStore extends ForwardingStore {
    private volatile boolean slow = true;

    SlowStore() {
      super(new MemoryStore());
    }

    @Override
    public <A, R> List<Outcome<R>> execute(
        Procedure<A, R> procedure, List<A> arguments, Durability durability) {
      if (slow && procedure == CommitRow.INSTANCE) {
        List<Outcome<R>> lost = new ArrayList<>();
        arguments.forEach(each -> lost.add(Outcome.unknown("lost")));
        return lost;
      }
      return super.execute(procedure, arguments, durability);
    }
  }

  private final SlowStore store = new SlowStore();

  private Braid open() {
    Braid db = Braid.over(store, BraidConfig.defaults().with(Setting.ONE_PHASE, "off"));
    db.ensureTable("people", "f");
    return db;
  }

  private static void write(Braid db, Row... rows) {
    db.run(
        tx -> {
          for (Row row : rows) {
            tx.set(row, CITY, "Ulm");
          }
          return tx;
        });
  }

  private static void requireThere(Braid db) {
    try (Snapshot reads = db.snapshot()) {
      assertThat(reads.get(BOB, CITY)).contains("Ulm");
    }
    db.run(
        tx -> {
          tx.set(BOB, CITY, "Bonn");
          return tx;
        });
  }

  @Test
  void whatCommittedStandsWhenTheTableOfItsPrimaryGoes() {
    try (Braid db = open()) {
      db.ensureTable("cities", "f");
      write(db, Row.of("cities", "Ulm"), BOB);
      store.slow = false;
      db.dropTable("cities");
      requireThere(db);
    }
  }

  @Test
  void whatCommittedStandsWhenTheIndexOfItsPrimaryGoes() {
    try (Braid db = open()) {
      db.indexes().create("by-city", "people", CITY.name(), Index.Kind.GLOBAL, rows -> {});
      write(db, BOB);
      store.slow = false;
      assertThat(db.indexes().drop("by-city")).isTrue();
      requireThere(db);
    }
  }
}
