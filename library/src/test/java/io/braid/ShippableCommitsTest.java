package io.braid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.Protocol;
import io.braid.groups.Group;
import io.braid.groups.GroupException;
import io.braid.groups.GroupRequest;
import io.braid.indexes.Index;
import io.braid.testkit.MemoryStore;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Fault 65. A group acknowledges only what the store will take when it is shipped. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class ShippableCommitsTest {
  private static final Column<String> MAIL = Column.of("f", "mail", Codecs.utf8());
  private static final Column<String> CITY = Column.of("f", "city", Codecs.utf8());
  private static final Row ALICE = Row.of("people", "alice");
  private static final Row BOB = Row.of("people", "bob");

  private static Braid open(Protocol protocol, String... settings) {
    BraidConfig config = BraidConfig.defaults();
    for (int i = 0; i < settings.length; i += 2) {
      config = config.with(settings[i], settings[i + 1]);
    }
    Braid db = Braid.over(new MemoryStore(), config);
    db.ensureTable("people", protocol, "f");
    return db;
  }

  private static void index(Braid db, Index.Kind kind) {
    db.indexes().create("by-mail", "people", MAIL.name(), kind, rows -> {});
  }

  private static void outside(Braid db, Row row, String mail) {
    db.run(
        tx -> {
          tx.set(row, MAIL, mail);
          return 0;
        });
  }

  private static Optional<String> stored(Braid db, Row row, Column<String> column) {
    try (var now = db.snapshot()) {
      return now.get(row, column);
    }
  }

  /** Whatever was refused, the group goes on, and all that it acknowledged comes to the store. */
  private static void requireShippable(Braid db, Group group) {
    group.update(tx -> tx.set(ALICE, CITY, "Pisa"));
    group.close();
    assertThat(stored(db, ALICE, CITY)).contains("Pisa");
    assertThat(db.groups().list()).isEmpty();
  }

  /** Who else has the value is known only when the group is shipped. */
  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aColumnWithAUniqueIndexIsNotSet(Protocol protocol) {
    try (Braid db = open(protocol)) {
      index(db, Index.Kind.UNIQUE);
      outside(db, BOB, "b@x");
      outside(db, ALICE, "a@x");
      Group group = db.group(List.of(ALICE));
      for (String mail : List.of("b@x", "free@x")) {
        assertThatThrownBy(() -> group.update(tx -> tx.set(ALICE, MAIL, mail)))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("by-mail")
            .hasMessageContaining("unique");
      }
      // A deletion asks for nothing that another may have.
      group.update(tx -> tx.delete(ALICE, MAIL));
      requireShippable(db, group);
      outside(db, BOB, "a@x");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "PERCOLATOR, GLOBAL",
    "PERCOLATOR, LOCAL",
    "OMID, GLOBAL",
    "OMID, LOCAL",
  })
  void aValueThatIsTooLongForAnIndexIsNotSet(Protocol protocol, Index.Kind kind) {
    try (Braid db = open(protocol)) {
      index(db, kind);
      Group group = db.group(List.of(ALICE));
      assertThatThrownBy(() -> group.update(tx -> tx.set(ALICE, MAIL, "m".repeat(4090))))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("by-mail");
      assertThatThrownBy(() -> group.update(tx -> tx.set(ALICE, MAIL, "\0".repeat(2100))))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("by-mail");
      group.update(tx -> tx.set(ALICE, MAIL, "m".repeat(2000)));
      requireShippable(db, group);
      assertThat(stored(db, ALICE, MAIL)).contains("m".repeat(2000));
    }
  }

  /** The index row holds the key of the row, which may be large itself. */
  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aRowWithALongKeyHasItsIndexRow(Protocol protocol) {
    try (Braid db = open(protocol)) {
      index(db, Index.Kind.GLOBAL);
      Row row = Row.of("people", "k".repeat(3000));
      Group group = db.group(List.of(row));
      group.update(tx -> tx.set(row, MAIL, "m"));
      group.close();
      try (var now = db.snapshot()) {
        assertThat(db.indexes().find(now, "people", MAIL, "m")).containsExactly(row);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aCommitLargerThanATransactionIsRefused(Protocol protocol) {
    try (Braid db =
        open(protocol, "limits.transaction", "64 KiB", "limits.transaction-total", "64 KiB")) {
      Group group = db.group(List.of(ALICE, BOB));
      assertThatThrownBy(
              () ->
                  group.update(
                      tx -> {
                        tx.set(ALICE, CITY, "c".repeat(40_000));
                        tx.set(BOB, CITY, "c".repeat(40_000));
                      }))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("over the limit of 65536");
      group.update(
          tx -> {
            tx.set(ALICE, CITY, "c".repeat(40_000));
            tx.set(ALICE, CITY, "c".repeat(60_000));
          });
      requireShippable(db, group);
    }
  }

  /** Each is small enough; what is shipped together must be, too. */
  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aBatchIsNoLargerThanATransactionMayBe(Protocol protocol) {
    try (Braid db =
        open(protocol, "limits.transaction", "64 KiB", "limits.transaction-total", "64 KiB")) {
      index(db, Index.Kind.GLOBAL);
      List<Row> rows = List.of(ALICE, BOB, Row.of("people", "carol"));
      Group group = db.group(rows);
      for (int i = 0; i < 30; i++) {
        Row row = rows.get(i % 3);
        String mail = "m".repeat(1000) + i;
        Column<String> column = Column.of("f", "c" + i, Codecs.utf8());
        group.update(
            tx -> {
              tx.set(row, column, "v".repeat(20_000));
              tx.set(row, MAIL, mail);
            });
      }
      requireShippable(db, group);
    }
  }

  /** What is not shipped yet has not been compared with it. */
  @ParameterizedTest
  @EnumSource(Index.Kind.class)
  void noIndexIsCreatedWhileAGroupHasRowsOfTheTable(Index.Kind kind) {
    try (Braid db = open(Protocol.PERCOLATOR)) {
      outside(db, BOB, "x");
      Group group = db.groups().create(GroupRequest.of(List.of(ALICE)).named("game"));
      group.update(tx -> tx.set(ALICE, MAIL, kind == Index.Kind.UNIQUE ? "x" : "m".repeat(5000)));
      assertThatThrownBy(() -> index(db, kind))
          .isInstanceOf(GroupException.class)
          .hasMessageContaining("people")
          .hasMessageContaining("game");
      assertThat(db.indexes().all()).isEmpty();
      requireShippable(db, group);
      outside(db, ALICE, "a");
      index(db, kind);
    }
  }

  /** A group of two tables is shipped in one transaction, which writes tables of one protocol. */
  @Test
  void noTableWithRowsOfAGroupChangesItsProtocol() {
    try (Braid db = open(Protocol.PERCOLATOR)) {
      db.ensureTable("orders", "f");
      Row order = Row.of("orders", "1");
      Group group = db.groups().create(GroupRequest.of(List.of(ALICE, order)).named("game"));
      group.update(tx -> tx.set(ALICE, CITY, "Rome"));
      group.update(tx -> tx.set(order, CITY, "Rome"));
      assertThatThrownBy(() -> db.tables().switchProtocol("orders", Protocol.OMID))
          .isInstanceOf(GroupException.class)
          .hasMessageContaining("orders")
          .hasMessageContaining("game");
      requireShippable(db, group);
      db.tables().switchProtocol("orders", Protocol.OMID);
    }
  }

  /** What no transaction of a user may write. */
  @Test
  void whatIsBraidsOwnIsNotWritten() {
    try (Braid db = open(Protocol.PERCOLATOR)) {
      index(db, Index.Kind.LOCAL);
      db.indexes().create("by-city", "people", CITY.name(), Index.Kind.GLOBAL, rows -> {});
      Group group = db.group(List.of(ALICE));
      for (String family : List.of(Families.INDEX, Families.ACK)) {
        Column<String> column = Column.of(family, Bytes.EMPTY, Codecs.utf8());
        assertThatThrownBy(() -> group.update(tx -> tx.set(ALICE, column, "x")))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining(family);
      }
      assertThatThrownBy(() -> db.group(List.of(Row.of("by-city", "x"))))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("by-city")
          .hasMessageContaining("index");
      requireShippable(db, group);
    }
  }
}
