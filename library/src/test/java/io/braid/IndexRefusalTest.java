package io.braid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.transaction.CommitResult;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.Protocol;
import io.braid.core.transaction.Transaction;
import io.braid.indexes.DuplicateValueException;
import io.braid.indexes.Index.Kind;
import io.braid.indexes.TableIndexes;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is refused at indexes, and what broke off and goes on. */
class IndexRefusalTest extends IndexedPeople {
  /** A removal that broke off goes on; meanwhile nobody is answered from what is left. */
  @Test
  void aRemovalThatBrokeOffGoesOn() {
    db.ensureTable("people", "f");
    put(1, "Ulm");
    create(Kind.LOCAL);
    put(2, "Ulm");
    ((TableIndexes) db.indexes()).beginDrop(NAME);
    assertThat(db.indexes().all().get(0).ready()).isFalse();
    assertThatThrownBy(() -> find(db.snapshot(), "Ulm")).hasMessageContaining("has no index");
    assertThatThrownBy(() -> create(Kind.LOCAL)).hasMessageContaining("drop it again");
    put(3, "Ulm");
    assertThat(indexCells()).isEqualTo(2);
    assertThat(db.indexes().drop(NAME)).isTrue();
    assertThat(indexCells()).isZero();
    create(Kind.LOCAL);
    assertThat(find(db.snapshot(), "Ulm")).hasSize(3);
  }

  /** What was populated stays, and the rest follows when it is created again. */
  @Test
  void aCreationThatBrokeOffGoesOn() {
    db.ensureTable("people", Protocol.OMID, "f");
    db.run(
        tx -> {
          for (int i = 0; i < 700; i++) {
            tx.set(row(i), CITY, "c" + i % 5);
          }
          return 0;
        });
    assertThatThrownBy(
            () ->
                db.indexes()
                    .create(
                        NAME,
                        "people",
                        CITY.name(),
                        Kind.GLOBAL,
                        seen -> {
                          throw new IllegalStateException("died");
                        }))
        .hasMessage("died");
    assertThat(db.indexes().all().get(0).ready()).isFalse();
    assertThatThrownBy(() -> find(db.snapshot(), "c1")).hasMessageContaining("being built");
    put(3, "elsewhere");
    AtomicLong seen = new AtomicLong();
    db.indexes().create(NAME, "people", CITY.name(), Kind.GLOBAL, seen::set);
    assertThat(seen.get()).isEqualTo(200);
    requireEqual();
  }

  @ParameterizedTest
  @EnumSource
  void aUniqueIndexRefusesASecondRow(Protocol protocol) {
    db.ensureTable("people", protocol, "f");
    put(1, "Ulm");
    put(2, "Ulm");
    assertThatThrownBy(() -> create(Kind.UNIQUE)).isInstanceOf(DuplicateValueException.class);
    assertThat(db.indexes().all()).isEmpty();
    put(2, "Bern");
    create(Kind.UNIQUE);
    assertThatThrownBy(() -> put(3, "Ulm"))
        .isInstanceOf(DuplicateValueException.class)
        .hasMessageContaining("people/00001");
    put(9, "Oslo");
    try (Transaction one = db.begin();
        Transaction other = db.begin()) {
      one.set(row(4), CITY, "Rom");
      other.set(row(5), CITY, "Rom");
      one.commit();
      assertThatThrownBy(other::commit).isInstanceOf(ConflictException.class);
    }
    db.run(
        tx -> {
          tx.delete(row(1), CITY);
          tx.set(row(3), CITY, "Ulm");
          return 0;
        });
    assertThat(find(db.snapshot(), "Ulm")).containsExactly(row(3));
  }

  /** Who catches the refusal of a write and commits has not written half of it. */
  @ParameterizedTest
  @EnumSource
  void aValueThatIsTooLongForAnIndexLeavesItAsItWas(Protocol protocol) {
    db.ensureTable("people", protocol, "f");
    put(1, "Ulm");
    create(Kind.GLOBAL);
    db.run(
        tx -> {
          assertThatThrownBy(() -> tx.set(row(1), CITY, "x".repeat(5000)))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageContaining("too long for index");
          tx.set(row(1), N, 1L);
          return 0;
        });
    requireEqual();
    assertThat(find(db.snapshot(), "Ulm")).containsExactly(row(1));
  }

  @ParameterizedTest
  @EnumSource
  void aWriteThatFailsBehindItsIndexRowsIsNotCommitted(Protocol protocol) {
    String city = "x".repeat(700);
    BraidConfig small = BraidConfig.defaults().with(Setting.MAX_TRANSACTION, "1800 B");
    try (Braid own = Braid.over(store, small.with(Setting.MAX_TOTAL, "1800 B"))) {
      own.ensureTable("people", protocol, "f");
      own.indexes().create(NAME, "people", CITY.name(), Kind.GLOBAL, seen -> {});
      Transaction tx = own.begin();
      tx.set(row(2), CITY, "y".repeat(400));
      assertThatThrownBy(() -> tx.set(row(1), CITY, city)).hasMessageContaining("over the limit");
      Transaction other = own.begin();
      assertThat(own.transactions().commitAll(List.of(tx, other)).get(0))
          .isInstanceOf(CommitResult.Failed.class);
      assertThatThrownBy(
              () ->
                  own.run(
                      again -> {
                        again.set(row(2), CITY, "y".repeat(400));
                        assertThatThrownBy(() -> again.set(row(1), CITY, city))
                            .hasMessageContaining("over the limit");
                        return 0;
                      }))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("begin another");
      assertThat(own.snapshot().get(row(2), CITY)).isEmpty();
      assertThat(own.indexes().range(own.snapshot(), "people", CITY, null, null, -1)).isEmpty();
    }
  }

  /** What stands in a table already and is too long refuses the index, not the table's writers. */
  @ParameterizedTest
  @EnumSource
  void anIndexOfValuesThatAreTooLongIsRefused(Protocol protocol) {
    db.ensureTable("people", protocol, "f");
    put(1, "x".repeat(5000));
    put(2, "x".repeat(5000));
    assertThatThrownBy(() -> create(Kind.GLOBAL))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("too long for index");
    assertThat(db.indexes().all()).isEmpty();
    put(1, "Ulm");
    put(2, "Ulm");
    create(Kind.GLOBAL);
    requireEqual();
  }

  /** Who has written rows of an index that is dropped then runs again, without it. */
  @ParameterizedTest
  @EnumSource
  void aTransactionOverADroppedIndexRunsAgain(Protocol protocol) {
    db.ensureTable("people", protocol, "f");
    put(1, "Ulm");
    create(Kind.GLOBAL);
    int[] runs = new int[1];
    db.run(
        tx -> {
          tx.set(row(1), CITY, "Rom");
          if (runs[0]++ == 0) {
            db.indexes().drop(NAME);
          }
          return 0;
        });
    assertThat(runs[0]).isEqualTo(2);
    assertThat(db.snapshot().get(row(1), CITY)).contains("Rom");
    create(Kind.GLOBAL);
    Transaction one = db.begin();
    one.set(row(1), CITY, "Bern");
    db.indexes().drop(NAME);
    assertThat(db.transactions().commitAll(List.of(one)).get(0))
        .isInstanceOfSatisfying(
            CommitResult.Failed.class,
            failed -> assertThat(failed.failure()).isInstanceOf(ConflictException.class));
  }
}
