package io.braid.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.Braid;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** What a test gets. */
@BraidTest(
    tables = {"people:info", "orders: lines, notes"},
    settings = "groups.lease = 5 min")
class BraidExtensionTest {
  private static final Column<String> NAME = Column.of("info", "name", Codecs.utf8());
  private static final Row BOB = Row.of("people", "bob");

  @BeforeEach
  void theSameDatabaseAsInTheTest(Braid db) {
    db.run(
        tx -> {
          tx.set(BOB, NAME, tx.get(BOB, NAME).orElse("") + "Bob");
          return true;
        });
  }

  @RepeatedTest(2)
  void everyTestHasItsOwn(Braid db) {
    try (var now = db.snapshot()) {
      assertThat(now.get(BOB, NAME)).contains("Bob");
    }
    assertThat(db.tables().families("orders")).containsExactlyInAnyOrder("lines", "notes");
  }

  /** The same over RocksDB. */
  @Nested
  @BraidTest(tables = "people:info", kind = BraidTest.Kind.ROCKSDB)
  class OnDisk {
    @Test
    void itBehavesTheSame(Braid db) {
      try (var now = db.snapshot()) {
        assertThat(now.get(BOB, NAME)).contains("Bob");
      }
    }
  }
}
