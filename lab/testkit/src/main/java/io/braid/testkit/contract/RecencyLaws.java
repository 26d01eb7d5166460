package io.braid.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import io.braid.core.data.KeyRange;
import io.braid.core.store.RowWrite;
import io.braid.core.store.Selection;
import io.braid.core.store.SortedFileWriter;
import io.braid.testkit.CellText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A call that was answered happened before every call that began after the answer. */
interface RecencyLaws extends StoreUnderTest {
  int ANSWERS = 300;

  /** A reader that knows of an answered write finds nothing older, whichever way it reads. */
  @Test
  default void answeredVersionsAreSeenByEveryCallThatFollows() throws Exception {
    AtomicLong answered = new AtomicLong();
    put("a d:q@0=");
    List<Callable<String>> ways =
        List.of(
            () -> read(A, Selection.column(DATA).newest(1)).get(0),
            () -> run(Program.over(A).newest(A, DATA, T)).get(0),
            () -> runReading(Program.over(A).newest(A, DATA, T)).get(0),
            () -> CellText.scan(store(), scanOf(KeyRange.ALL)).get(0).substring("a ".length()));
    Race race =
        new Race()
            .rounds(
                times(ANSWERS),
                version -> {
                  if (version % 2 == 0) {
                    write(RowWrite.put(A, StoreUnderTest.cell(DATA, version, "")));
                  } else {
                    run(Program.over(A).put(A, DATA, version, ""));
                  }
                  answered.set(version);
                  assertNoOlder(version, ways.get(version / 2 % ways.size()).call());
                });
    for (Callable<String> way : ways) {
      race.meanwhile(() -> assertNoOlder(answered.get(), way.call()));
    }
    race.run();
  }

  /**
   * Conflict checks ask for versions above another one, which stores like to answer from memory.
   */
  @Test
  default void whatStandsAboveAVersionIsFound() {
    Program above5 = Program.over(A).above(A, DATA, 5);
    put("a d:q@5=", "b d:q@9=", "a e:q@9=");
    assertThat(run(above5)).containsExactly("0");
    put("a d:q@8=", "a d:q@7=");
    assertThat(run(above5)).containsExactly("8");

    store().splitTablet(TABLE, Bytes.of("aa"));
    assertThat(run(above5)).containsExactly("8");
    assertThat(run(Program.over(B).above(B, DATA, 8))).containsExactly("9");

    remove(A, DATA, 8);
    assertThat(run(above5)).containsExactly("7");
    remove(A, DATA, 7);
    assertThat(run(above5)).containsExactly("0");

    Path file = newFile();
    try (SortedFileWriter writer = store().sortedFile(TABLE, "d", file)) {
      writer.put(A.key(), DATA.qualifier(), 6, Bytes.EMPTY);
      writer.finish();
    }
    store().ingest(TABLE, "d", List.of(file));
    assertThat(run(above5)).containsExactly("6");
  }

  /** Sparse families, whose content stores like to keep track of. */
  @Test
  default void whatStandsInASparseFamilyIsFoundWhereverItsTabletGoes() {
    put("a s:q@5=", "b s:q@5=", "b s:r@5=");
    store().splitTablet(TABLE, Bytes.of("aa"));

    assertThat(run(Program.over(A).family(A, "s", Bytes.EMPTY))).containsExactly("s:q@5=");
    assertThat(runReading(Program.over(B).at(B, SPARSE, 5))).containsExactly("s:q@5=");
    remove(B, SPARSE, 5);
    assertThat(run(Program.over(B).family(B, "s", Bytes.EMPTY))).containsExactly("s:r@5=");
    run(Program.over(A).delete(A, SPARSE, 5).put(A, SPARSE, 6, ""));
    assertThat(run(Program.over(A).family(A, "s", Bytes.EMPTY))).containsExactly("s:q@6=");
    run(Program.over(A).delete(A, SPARSE, 6));
    assertThat(run(Program.over(A).family(A, "s", Bytes.EMPTY))).containsExactly("-");
  }

  private static void assertNoOlder(long least, String cell) {
    assertThat(CellText.cell("a " + cell).version()).isGreaterThanOrEqualTo(least);
  }

  @Test
  default void scanMissesNoRowThatWasAnsweredBeforeItBegan() throws Exception {
    Queue<String> answered = new ConcurrentLinkedQueue<>();
    Race race = new Race();
    for (int writer = 0; writer < 2; writer++) {
      int own = writer;
      race.rounds(
          times(ANSWERS) / 2,
          i -> {
            String key = (char) ('a' + i * 7 % 26) + "" + own + i;
            put(key + " d:q@1=");
            answered.add(key + " d:q@1=");
            if (i % 25 == 0) {
              store().splitTablet(TABLE, Bytes.of(key));
            }
          });
    }
    race.meanwhile(
            () -> {
              List<String> before = new ArrayList<>(answered);
              List<String> lines = CellText.scan(store(), scanOf(KeyRange.ALL));
              assertThat(lines).isSorted().doesNotHaveDuplicates().containsAll(before);
            })
        .run();

    assertThat(dump()).hasSize(answered.size());
  }

  /**
   * A procedure reads the newest version and writes the next. Once a blind write of a higher
   * version was answered, every later run reads that version. No run that read before it still
   * writes: nothing appears below.
   */
  @Test
  default void noProcedureWritesWhatItReadBeforeABlindWriteWasAnswered() throws Exception {
    AtomicLong ids = new AtomicLong();
    new Race()
        .rounds(
            times(ANSWERS),
            round -> {
              long version = round * 1_000_000L;
              write(RowWrite.put(A, StoreUnderTest.cell(DATA, version, "0")));
              List<String> below = newestBelow(version);
              run(Program.over(A).add(A, DATA, 1, ids.incrementAndGet()));
              assertThat(newestBelow(version)).isEqualTo(below);
            })
        .meanwhile(() -> run(Program.over(A).add(A, DATA, 1, ids.incrementAndGet())))
        .meanwhile(() -> run(Program.over(A).add(A, DATA, 1, ids.incrementAndGet())))
        .run();
  }

  private List<String> newestBelow(long version) {
    return read(A, Selection.column(DATA).upTo(version - 1).newest(3));
  }

  @Test
  default void ingestLosesNoWriteThatIsAnsweredMeanwhile() throws Exception {
    AtomicInteger ingested = new AtomicInteger();
    AtomicInteger written = new AtomicInteger();
    new Race()
        .rounds(
            15,
            round -> {
              store().ingest(TABLE, "s", List.of(file("i" + round)));
              ingested.set(round);
            })
        .meanwhile(
            () -> {
              String qualifier = "w" + written.incrementAndGet();
              put("a s:" + qualifier + "@1=");
              assertThat(runReading(Program.over(A).family(A, "s", Bytes.of(qualifier))).get(0))
                  .contains("s:" + qualifier + "@1=");
            })
        .run();

    assertThat(read(A)).hasSize(ingested.get() + written.get());
    assertThat(run(Program.over(A).family(A, "s", Bytes.of("i"))).get(0).split(" "))
        .hasSize(ingested.get());
  }

  private Path file(String qualifier) {
    Path path = newFile();
    try (SortedFileWriter writer = store().sortedFile(TABLE, "s", path)) {
      writer.put(A.key(), Bytes.of(qualifier), 1, Bytes.EMPTY);
      writer.finish();
    }
    return path;
  }
}
