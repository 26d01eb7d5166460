package io.braid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.Protocol;
import io.braid.core.transaction.ReadLevel;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.groups.Group;
import io.braid.indexes.Index.Kind;
import io.braid.indexes.IndexRows.Part;
import io.braid.indexes.TableIndexes;
import io.braid.percolator.PercolatorStatistics;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Secondary indexes, and what they say (Omid, section 6.1). */
class IndexTest extends IndexedPeople {
  @ParameterizedTest
  @CsvSource({"PERCOLATOR,GLOBAL", "PERCOLATOR,LOCAL", "OMID,GLOBAL", "OMID,LOCAL"})
  void rowsAreFoundByTheValueOfAColumn(Protocol protocol, Kind kind) {
    db.ensureTable("people", protocol, "f");
    store.splitTablet("people", row(2).key());
    store.splitTablet("people", row(4).key());
    put(1, "Ulm");
    put(2, "Bern");
    put(3, "Ulm");
    Snapshot before = db.snapshot();
    assertThat(create(kind).ready()).isTrue();
    put(4, "Ulm");
    put(3, "Wien");
    db.run(
        tx -> {
          tx.delete(row(1), CITY);
          tx.set(row(5), CITY, "Genf");
          tx.checkpoint();
          tx.set(row(5), CITY, "Rom");
          assertThat(rows(tx)).as("no index rows among those of users").hasSize(4);
          assertThat(find(tx, "Genf")).containsExactly(row(5));
          tx.readLevel(ReadLevel.SNAPSHOT);
          assertThat(find(tx, "Rom")).containsExactly(row(5));
          assertThat(find(tx, "Genf")).isEmpty();
          return 0;
        });
    try (Snapshot now = db.snapshot()) {
      assertThat(find(now, "Ulm")).containsExactly(row(4));
      assertThat(find(now, "Genf")).isEmpty();
      assertThat(db.indexes().range(now, "people", CITY, "C", "V", -1))
          .containsExactly(row(5), row(4));
      assertThat(db.indexes().range(now, "people", CITY, null, null, 2))
          .containsExactly(row(2), row(5));
    }
    assertThatThrownBy(() -> find(before, "Ulm")).hasMessageContaining("created after");
    before.close();
    Row own = kind == Kind.LOCAL ? row(1) : Row.of(NAME, "x");
    Column<String> reserved = kind == Kind.LOCAL ? Column.of("~index", "", Codecs.utf8()) : CITY;
    assertThatThrownBy(
            () ->
                db.run(
                    tx -> {
                      tx.set(own, reserved, "y");
                      return 0;
                    }))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("index");
    db.indexes().drop(NAME);
    assertThat(indexCells()).isZero();
    assertThat(store.table(NAME)).isEmpty();
    put(6, "Ulm");
  }

  /**
   * A row and its index row lie in one tablet, so that a commit is one step there; lookups merge
   * what the tablets know, before and after splits.
   */
  @ParameterizedTest
  @EnumSource
  void aLocalIndexLiesInTheTabletsOfItsRows(Protocol protocol) {
    db.ensureTable("people", protocol, "f");
    List<Bytes> starts = List.of(row(10).key(), row(20).key(), row(30).key());
    starts.forEach(start -> store.splitTablet("people", start));
    for (int i = 0; i < 40; i += 3) {
      put(i, "c" + i % 2);
    }
    create(Kind.LOCAL);
    for (int i = 1; i < 40; i += 3) {
      put(i, "c" + i % 2);
    }
    PercolatorStatistics before = db.operations().percolatorStatistics();
    put(35, "elsewhere");
    PercolatorStatistics after = db.operations().percolatorStatistics();
    put(35, "c1");
    assertThat(after.twoPhase() - before.twoPhase()).isZero();
    assertThat(after.onePhase() - before.onePhase())
        .isEqualTo(protocol == Protocol.PERCOLATOR ? 1 : 0);
    for (Part part : ((TableIndexes) db.indexes()).rows(NAME).parts()) {
      Bytes from = part.column().name().qualifier();
      List<Row> both = new ArrayList<>();
      try (Snapshot now = db.snapshot();
          RowCursor cursor = now.scan(part.scan(KeyRange.ALL))) {
        while (cursor.hasNext()) {
          RowValues each = cursor.next();
          both.add(each.row());
          both.add(Row.of("people", each.get(part.column()).orElseThrow()));
        }
      }
      assertThat(both).as("the part from " + from).isNotEmpty();
      assertThat(store.together(both)).isTrue();
    }
    store.splitTablet("people", row(5).key());
    store.splitTablet("people", row(25).key());
    put(26, "c0");
    db.run(
        tx -> {
          tx.delete(row(6), CITY);
          return 0;
        });
    try (Snapshot now = db.snapshot()) {
      List<Row> even = find(now, "c0");
      assertThat(even).isSorted().doesNotHaveDuplicates().contains(row(0), row(26), row(36));
      assertThat(even).doesNotContain(row(6)).hasSize(13);
      List<Row> all = db.indexes().range(now, "people", CITY, null, null, -1);
      assertThat(all).hasSize(28).startsWith(even.toArray(Row[]::new));
      assertThat(db.indexes().range(now, "people", CITY, "c0", "c1", 3))
          .isEqualTo(even.subList(0, 3));
    }
    requireEqual();
  }

  /** Rows of an index are in no group: whoever leads one writes them beside its members. */
  @ParameterizedTest
  @CsvSource({"PERCOLATOR,GLOBAL", "PERCOLATOR,LOCAL", "OMID,GLOBAL", "OMID,LOCAL"})
  void aKeyGroupKeepsTheIndexesOfItsMembers(Protocol protocol, Kind kind) {
    db.ensureTable("people", protocol, "f");
    create(kind);
    put(1, "Ulm");
    try (Group group = db.group(List.of(row(1), row(2)))) {
      group.update(
          tx -> {
            tx.set(row(1), CITY, "Bern");
            tx.set(row(2), CITY, "Ulm");
          });
      group.update(tx -> tx.set(row(2), CITY, "Rom"));
    }
    try (Snapshot now = db.snapshot()) {
      assertThat(db.indexes().range(now, "people", CITY, null, null, -1))
          .containsExactly(row(1), row(2));
      assertThat(find(now, "Ulm")).isEmpty();
    }
  }

  /** Fault 6: who began before a fence, and writes the table, aborts. */
  @ParameterizedTest
  @EnumSource
  void aFenceAbortsThoseThatBeganBefore(Protocol protocol) {
    db.ensureTable("people", protocol, "f");
    try (Transaction old = db.begin()) {
      old.set(row(1), N, 1L);
      long fence = db.tables().fence("people");
      assertThat(fence).isGreaterThan(old.timestamp());
      assertThatThrownBy(old::commit).isInstanceOf(ConflictException.class);
    }
    put(2, "after");
  }

  /** Fault 6: also who wrote nothing in the table before. */
  @ParameterizedTest
  @EnumSource
  void aFenceAbortsThoseThatTouchTheTableOnlyAfterwards(Protocol protocol) {
    db.ensureTable("people", protocol, "f");
    put(1, "Ulm");
    try (Transaction old = db.begin()) {
      db.tables().fence("people");
      old.set(row(1), N, 1L);
      assertThatThrownBy(old::commit).isInstanceOf(ConflictException.class);
    }
  }

  /** What a snapshot from before the fence shows, the index does not know. */
  @ParameterizedTest
  @EnumSource
  void anIndexIsNotAskedAboutTheTimeBeforeIt(Protocol protocol) {
    db.ensureTable("people", protocol, "f");
    put(1, "Ulm");
    try (Snapshot before = db.snapshot();
        Transaction old = db.begin()) {
      create(Kind.GLOBAL);
      for (Snapshot each : List.of(before, old, db.transactions().snapshotAt(before.timestamp()))) {
        assertThatThrownBy(() -> find(each, "Ulm"))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("begins at");
        assertThatThrownBy(() -> db.indexes().range(each, "people", CITY, null, null, -1))
            .hasMessageContaining("begins at");
      }
    }
    assertThat(find(db.snapshot(), "Ulm")).containsExactly(row(1));
  }
}
