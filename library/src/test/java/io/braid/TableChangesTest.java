package io.braid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.batch.JobException;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.loads.DecideLoad;
import io.braid.core.loads.LoadDecisions;
import io.braid.core.loads.LoadState;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.UnknownTableException;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.Protocol;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.groups.Group;
import io.braid.groups.GroupException;
import io.braid.groups.GroupRequest;
import io.braid.indexes.Index;
import io.braid.testkit.MemoryStore;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Fault 86: a change of a table ends the transactions that have written it and waits for none;
 * groups and atomic loads hold it off, and are named.
 */
class TableChangesTest {
  private static final Column<String> CITY = Column.of("f", "city", Codecs.utf8());

  /** All changes of a table. */
  private enum Change {
    SWITCH {
      @Override
      void of(Braid db, String table) {
        db.tables().switchProtocol(table, Protocol.OMID);
      }
    },
    FENCE {
      @Override
      void of(Braid db, String table) {
        db.tables().fence(table);
      }
    },
    GLOBAL_INDEX {
      @Override
      void of(Braid db, String table) {
        db.indexes().create("by-city", table, CITY.name(), Index.Kind.GLOBAL, rows -> {});
      }
    },
    LOCAL_INDEX {
      @Override
      void of(Braid db, String table) {
        db.indexes().create("by-city", table, CITY.name(), Index.Kind.LOCAL, rows -> {});
      }
    },
    NO_INDEX {
      @Override
      void of(Braid db, String table) {
        db.indexes().drop("old");
      }
    },
    DROP {
      @Override
      void of(Braid db, String table) {
        db.dropTable(table);
      }
    };

    abstract void of(Braid db, String table);
  }

  private Runnable whenRaised = () -> {};
  private boolean told;
  private Braid db;

  @BeforeEach
  void open() {
    ForwardingStore store =
        new ForwardingStore(new MemoryStore()) {
          @Override
          public void raiseEpoch(String table, long epoch) {
            super.raiseEpoch(table, epoch);
            if (table.equals("people")) {
              Runnable once = whenRaised;
              whenRaised = () -> {};
              once.run();
            }
          }
        };
    BraidConfig config =
        BraidConfig.defaults()
            .with(Setting.MAX_TRANSACTION, "1 KiB")
            .with(Setting.MAX_TOTAL, "1 MiB");
    db = Braid.over(store, config);
    db.ensureTable("people", "f");
    db.ensureTable("other", "f");
    db.indexes().create("old", "people", CITY.name(), Index.Kind.LOCAL, rows -> {});
  }

  @AfterEach
  void close() {
    db.close();
  }

  /** A transaction that has left intents in a table. */
  private Transaction streamed(String first) {
    Transaction tx = db.begin();
    tx.set(Row.of(first, "x"), CITY, "x".repeat(900));
    for (int i = 0; i < 10; i++) {
      tx.set(Row.of("people", first + i), CITY, first + "x".repeat(500));
    }
    return tx;
  }

  private void requireNothingOf(String table, String key) {
    try (Snapshot now = db.snapshot()) {
      assertThat(now.get(Row.of(table, key), CITY)).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void changeDoesNotWaitForAnOpenTransaction(Change change) {
    try (Transaction here = streamed("people");
        Transaction there = streamed("other")) {
      change.of(db, "people");

      assertThatThrownBy(here::commit)
          .isInstanceOfAny(ConflictException.class, UnknownTableException.class);
      assertThatThrownBy(there::commit).isInstanceOf(ConflictException.class);
    }
    requireNothingOf("other", "x");
    if (change != Change.DROP) {
      requireNothingOf("people", "people1");
      requireNothingOf("people", "other1");
    }
  }

  @ParameterizedTest
  @EnumSource
  void transactionThatHasWrittenIsToldOfTheChangeAtOnce(Change change) {
    try (Transaction tx = streamed("other")) {
      whenRaised =
          () -> {
            assertThatThrownBy(() -> tx.set(Row.of("people", "q"), CITY, "x".repeat(2000)))
                .isInstanceOf(ConflictException.class);
            told = true;
          };
      change.of(db, "people");
      assertThat(told).isTrue();
    }
  }

  static List<Change> heldByGroups() {
    return List.of(Change.SWITCH, Change.DROP);
  }

  @ParameterizedTest
  @MethodSource("heldByGroups")
  void groupHoldsTheChangeOff(Change change) {
    try (Group group =
        db.groups().create(GroupRequest.of(List.of(Row.of("people", "p"))).named("table-1"))) {
      assertThatThrownBy(() -> change.of(db, "people"))
          .isInstanceOf(GroupException.class)
          .hasMessageContaining("table-1");
    }
    assertThat(db.tables().protocol("people")).isEqualTo(Protocol.PERCOLATOR);
    change.of(db, "people");
  }

  @ParameterizedTest
  @EnumSource
  void atomicLoadHoldsTheChangeOff(Change change) {
    long start = db.oracle().next();
    LoadState begun = LoadState.begun("people", start, false);
    LoadDecisions.decide(db.store(), DecideLoad.Request.begin("cities-1", begun));
    List<Index> before = db.indexes().all();

    assertThatThrownBy(() -> change.of(db, "people"))
        .isInstanceOf(JobException.class)
        .hasMessageContaining("Atomic load cities-1")
        .hasMessageContaining("people");
    assertThat(db.indexes().all()).isEqualTo(before);

    LoadDecisions.decide(db.store(), DecideLoad.Request.of("cities-1", DecideLoad.Step.ABORT));
    change.of(db, "people");
  }

  /** Each takes memory, and time when the database is opened. */
  @Test
  void aTableHasAHundredFamiliesAtMost() {
    try (Braid db = Braid.over(new MemoryStore(), BraidConfig.defaults())) {
      String[] names = IntStream.range(0, 101).mapToObj(i -> "f" + i).toArray(String[]::new);
      assertThatThrownBy(() -> db.ensureTable("wide", names))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("more than 100 families");
      assertThat(db.store().table("wide")).isEmpty();
      db.ensureTable("wide", Arrays.copyOf(names, 100));
      db.ensureTable("wide", "f7");
      assertThatThrownBy(() -> db.ensureTable("wide", "f100"))
          .hasMessageContaining("more than 100 families");
    }
  }
}
