package io.braid.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.RowWrite;
import io.braid.core.store.StoreException;
import io.braid.core.store.TableSchema;
import io.braid.core.store.UnknownTableException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The reads and effects of procedures, and the answers to calls of many items. */
interface ProcedureLaws extends StoreUnderTest {
  @Test
  default void procedureReadsWhatWasWritten() {
    put("a d:q@3=x", "a d:q@5=y", "a d:q@9=z", "a s:ab@1=u", "a s:abc@2=v", "a s:b@3=w");
    Program program =
        Program.over(A)
            .newest(A, DATA, 8)
            .newest(A, DATA, Long.MAX_VALUE)
            .newest(A, DATA, 2)
            .newest(A, OTHER, Long.MAX_VALUE)
            .at(A, DATA, 5)
            .at(A, DATA, 6)
            .versions(A, DATA, 3, 9, 9)
            .versions(A, DATA, 4, 8, 9)
            .versions(A, DATA, 0, Long.MAX_VALUE, 2)
            .versions(A, DATA, 6, 8, 9)
            .family(A, "s", Bytes.of("ab"))
            .family(A, "s", Bytes.EMPTY)
            .family(A, "s", Bytes.of("c"));
    List<String> expected =
        List.of(
            "d:q@5=y",
            "d:q@9=z",
            "-",
            "-",
            "d:q@5=y",
            "-",
            "d:q@9=z d:q@5=y d:q@3=x",
            "d:q@5=y",
            "d:q@9=z d:q@5=y",
            "-",
            "s:ab@1=u s:abc@2=v",
            "s:ab@1=u s:abc@2=v s:b@3=w",
            "-");

    assertThat(run(program)).isEqualTo(expected);
    assertThat(runReading(program)).isEqualTo(expected);
  }

  @Test
  default void readsDoNotSeeTheProceduresOwnWrites() {
    put("a d:q@1=old", "a s:q@1=old");

    List<String> answers =
        run(
            Program.over(A)
                .newest(A, SPARSE, 9)
                .put(A, DATA, 2, "new")
                .put(A, DATA, 1, "replaced")
                .delete(A, SPARSE, 1)
                .put(A, SPARSE, 3, "new")
                .newest(A, DATA, 9)
                .at(A, DATA, 2)
                .at(A, SPARSE, 1)
                .versions(A, DATA, 0, 9, 9)
                .family(A, "s", Bytes.EMPTY));

    assertThat(answers.subList(5, 10))
        .containsExactly("d:q@1=old", "-", "s:q@1=old", "d:q@1=old", "s:q@1=old");
    assertThat(read(A)).containsExactly("d:q@2=new", "d:q@1=replaced", "s:q@3=new");
  }

  @Test
  default void lastWriteOfAProcedureToACellCounts() {
    for (ColumnName column : List.of(DATA, SPARSE)) {
      run(Program.over(A).put(A, column, 1, "x").put(A, column, 1, "y").put(A, column, 2, "z"));
      assertThat(read(A)).containsExactly(column + "@2=z", column + "@1=y");

      run(Program.over(A).delete(A, column, 1).put(A, column, 1, "again").delete(A, column, 2));
      assertThat(read(A)).containsExactly(column + "@1=again");

      run(Program.over(A).put(A, column, 1, "gone").put(A, column, 3, "").delete(A, column, 1));
      assertThat(read(A)).containsExactly(column + "@3=");
      run(Program.over(A).delete(A, column, 3).delete(A, column, 4));
      assertThat(read(A)).isEmpty();
    }
  }

  @Test
  default void procedureWritesSeveralRowsOfATablet() {
    put("b d:q@1=b");

    assertThat(
            run(
                Program.over(B, A)
                    .newest(B, DATA, 9)
                    .put(A, DATA, 1, "a")
                    .delete(B, DATA, 1)
                    .put(B, SPARSE, 1, "b")))
        .element(0)
        .isEqualTo("d:q@1=b");

    assertThat(dump()).containsExactly("a d:q@1=a", "b s:q@1=b");
  }

  @Test
  default void throwingProcedureLeavesNothing() {
    put("a d:q@1=before", "b s:q@1=before");
    Program failing =
        Program.over(A, B)
            .put(A, DATA, 1, "after")
            .put(A, DATA, 2, "after")
            .delete(B, SPARSE, 1)
            .put(B, OTHER, 1, "after")
            .fail();

    assertThatThrownBy(() -> run(failing))
        .isInstanceOfAny(IllegalStateException.class, StoreException.class);

    assertThat(dump()).containsExactly("a d:q@1=before", "b s:q@1=before");
    run(Program.over(A, B).put(A, DATA, 2, "next"));
    assertThat(read(A)).containsExactly("d:q@2=next", "d:q@1=before");
  }

  @Test
  default void procedureIsRefusedRowsThatItDidNotName() {
    put("b d:q@1=");

    assertThatThrownBy(() -> run(Program.over(A).put(A, DATA, 1, "").put(B, DATA, 2, "")))
        .isInstanceOf(RuntimeException.class);
    assertThatThrownBy(() -> run(Program.over(A).put(A, DATA, 1, "").newest(B, DATA, 2)))
        .isInstanceOf(RuntimeException.class);

    assertThat(dump()).containsExactly("b d:q@1=");
  }

  @Test
  default void readOnlyProcedureIsRefusedToWrite() {
    store().advanceClock(T);
    put("a d:q@1=");

    assertThatThrownBy(() -> runReading(Program.over(A).put(A, DATA, 2, "")))
        .isInstanceOf(RuntimeException.class);
    assertThatThrownBy(() -> runReading(Program.over(A).delete(A, DATA, 1)))
        .isInstanceOf(RuntimeException.class);
    assertThatThrownBy(() -> runReading(Program.over(A).draw(A, DATA, 0, "")))
        .isInstanceOf(RuntimeException.class);

    assertThat(dump()).containsExactly("a d:q@1=");
  }

  @Test
  default void unknownFamilyInAProcedureLeavesNothing() {
    ColumnName none = ColumnName.of("none", "q");

    assertThatThrownBy(() -> run(Program.over(A).put(A, DATA, 1, "").put(A, none, 1, "")))
        .isInstanceOf(UnknownTableException.class);
    assertThatThrownBy(() -> run(Program.over(A).put(A, DATA, 1, "").newest(A, none, 1)))
        .isInstanceOf(UnknownTableException.class);
    assertThatThrownBy(() -> run(Program.over(A).put(A, DATA, 1, "").above(A, none, 1)))
        .isInstanceOf(UnknownTableException.class);

    assertThat(dump()).isEmpty();
  }

  @Test
  default void batchIsAnsweredInTheOrderOfItsArguments() {
    List<Program> programs = new ArrayList<>();
    List<List<String>> expected = new ArrayList<>();
    for (int i = 0; i < 700; i++) {
      String key = "row" + (i * 7919) % 700;
      put(key + " d:q@1=" + i);
      Row row = Row.of(TABLE, key);
      programs.add(Program.over(row).newest(row, DATA, 9).put(row, DATA, 2, "new"));
      expected.add(List.of("d:q@1=" + i, "-"));
    }
    store().splitTablet(TABLE, Bytes.of("row3"));

    List<Outcome<List<String>>> outcomes =
        store().execute(Program.WRITING, programs, Durability.BUFFERED);

    assertThat(outcomes).extracting(StoreUnderTest::answers).isEqualTo(expected);
    assertThat(dump()).hasSize(1400);
  }

  @Test
  default void blindWritesAreAnsweredOneByOne() {
    List<RowWrite> writes = new ArrayList<>();
    for (int i = 0; i < 700; i++) {
      writes.add(
          RowWrite.put(Row.of(TABLE, "row" + i), StoreUnderTest.cell(DATA, 1, String.valueOf(i))));
    }
    writes.add(RowWrite.put(A, StoreUnderTest.cell(DATA, 1, "")));
    writes.add(RowWrite.put(A, StoreUnderTest.cell(DATA, 2, "")));

    assertThat(store().write(writes, Durability.SYNCED)).hasSize(702).containsOnly(Outcome.done());

    assertThat(dump()).hasSize(702);
    assertThat(read(Row.of(TABLE, "row333"))).containsExactly("d:q@1=333");
  }

  @Test
  default void emptyCallsAreAnsweredWithNothing() {
    assertThat(store().write(List.of(), Durability.SYNCED)).isEmpty();
    List<Program> none = List.of();
    assertThat(store().execute(Program.WRITING, none, Durability.SYNCED)).isEmpty();
    assertThat(store().execute(Program.READING, none, Durability.SYNCED)).isEmpty();
  }

  @Test
  default void itemsOfOneCallOnOneRowRunOneAfterAnother() {
    List<Program> programs = new ArrayList<>();
    for (int id = 0; id < 300; id++) {
      Row row = id % 3 == 0 ? A : B;
      programs.add(Program.over(A, B).add(row, DATA, 1, id).add(A, SPARSE, 1, id));
    }

    store().execute(Program.WRITING, programs, Durability.BUFFERED);

    assertThat(run(Program.over(A, B).newest(A, DATA, 999).newest(B, DATA, 999)))
        .containsExactly("d:q@100=100", "d:q@200=200");
    assertThat(run(Program.over(A).newest(A, SPARSE, 999))).containsExactly("s:q@300=300");
  }

  @Test
  default void reachEndsWithTheTabletOrWithTheStore() {
    put("a d:q@1=", "z d:q@1=");
    assertThat(store().together(List.of(A, Z))).isTrue();
    store().splitTablet(TABLE, Bytes.of("m"));
    Program across = Program.over(A, Z).put(A, DATA, 2, "").put(Z, DATA, 2, "");

    assertThat(store().together(List.of(A, B))).isTrue();
    assertThat(store().together(List.of(A, Z))).isEqualTo(reachesAcrossTablets());
    List<Outcome<List<String>>> outcomes =
        store()
            .execute(
                Program.WRITING,
                List.of(Program.over(A).epoch(A), across, Program.over(Z, A), Program.over(Z)),
                Durability.BUFFERED);

    assertThat(outcomes.get(0)).isInstanceOf(Outcome.Done.class);
    assertThat(outcomes.get(3)).isInstanceOf(Outcome.Done.class);
    if (reachesAcrossTablets()) {
      assertThat(outcomes).allMatch(Outcome.Done.class::isInstance);
      assertThat(dump()).hasSize(4);
    } else {
      assertNotTogether(outcomes.get(1));
      assertNotTogether(outcomes.get(2));
      assertThat(dump()).containsExactly("a d:q@1=", "z d:q@1=");
    }
  }

  @Test
  default void reachEndsWithTheTableOrWithTheStore() {
    store().ensureTable(new TableSchema("u", SCHEMA.families()));
    Row other = Row.of("u", "a");

    assertThat(store().together(List.of(A, other))).isEqualTo(reachesAcrossTablets());
    Outcome<List<String>> outcome =
        store()
            .execute(
                Program.WRITING,
                Program.over(A, other).put(A, DATA, 1, "").put(other, DATA, 1, ""),
                Durability.BUFFERED);

    if (reachesAcrossTablets()) {
      assertThat(outcome).isInstanceOf(Outcome.Done.class);
      assertThat(read(other)).containsExactly("d:q@1=");
    } else {
      assertNotTogether(outcome);
      assertThat(read(other)).isEmpty();
      assertThat(dump()).isEmpty();
    }
  }

  private static void assertNotTogether(Outcome<?> outcome) {
    assertThat(outcome).isInstanceOf(Outcome.NotExecuted.class);
    assertThat(((Outcome.NotExecuted<?>) outcome).reason()).isEqualTo(Outcome.Reason.NOT_TOGETHER);
  }
}
