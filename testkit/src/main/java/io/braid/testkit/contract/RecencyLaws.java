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
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What was answered happened before every call that began after the answer. */
interface RecencyLaws extends StoreUnderTest {
  int ANSWERS = 300;

  /** A reader looks up what was answered, then reads: what it finds is no older. */
  @Test
  default void answeredVersionsAreSeenByEveryCallThatFollows() throws Exception {
    AtomicLong answered = new AtomicLong();
    put("a d:q@0=");
    new Race()
        .once(
            () -> {
              for (long version = 1; version <= ANSWERS; version++) {
                if (version % 2 == 0) {
                  write(RowWrite.put(A, StoreUnderTest.cell(DATA, version, "")));
                } else {
                  run(Program.over(A).put(A, DATA, version, ""));
                }
                answered.set(version);
              }
            })
        .meanwhile(
            () -> assertNoOlder(answered.get(), read(A, Selection.column(DATA).newest(1)).get(0)))
        .meanwhile(
            () -> assertNoOlder(answered.get(), run(Program.over(A).newest(A, DATA, T)).get(0)))
        .meanwhile(
            () ->
                assertNoOlder(
                    answered.get(), runReading(Program.over(A).newest(A, DATA, T)).get(0)))
        .meanwhile(
            () -> {
              long least = answered.get();
              List<String> lines = CellText.scan(store(), scanOf(KeyRange.ALL));
              assertNoOlder(least, lines.get(0).substring("a ".length()));
            })
        .run();
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
      race.once(
          () -> {
            for (int i = 0; i < ANSWERS / 2; i++) {
              String key = (char) ('a' + i * 7 % 26) + "" + own + i;
              put(key + " d:q@1=");
              answered.add(key + " d:q@1=");
              if (i % 25 == 0) {
                store().splitTablet(TABLE, Bytes.of(key));
              }
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

    assertThat(dump()).hasSize(2 * (ANSWERS / 2));
  }

  /**
   * A procedure reads the newest version and writes the next. Once a blind write of a higher
   * version was answered, every run that follows reads that one, and no run that read before is
   * still to write: nothing appears below.
   */
  @Test
  default void noProcedureWritesWhatItReadBeforeABlindWriteWasAnswered() throws Exception {
    AtomicLong ids = new AtomicLong();
    new Race()
        .once(
            () -> {
              for (long round = 1; round <= ANSWERS; round++) {
                long version = round * 1_000_000;
                write(RowWrite.put(A, StoreUnderTest.cell(DATA, version, "0")));
                List<String> below = newestBelow(version);
                run(Program.over(A).add(A, DATA, 1, ids.incrementAndGet()));
                assertThat(newestBelow(version)).isEqualTo(below);
              }
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
    new Race()
        .once(
            () -> {
              for (int i = 0; i < 15; i++) {
                store().ingest(TABLE, "s", List.of(file("i" + i)));
              }
            })
        .once(
            () -> {
              for (int i = 0; i < ANSWERS; i++) {
                put("a s:w" + i + "@1=");
                assertThat(runReading(Program.over(A).family(A, "s", Bytes.of("w" + i))).get(0))
                    .contains("s:w" + i + "@1=");
              }
            })
        .run();

    assertThat(read(A)).hasSize(15 + ANSWERS);
    assertThat(run(Program.over(A).family(A, "s", Bytes.of("i"))).get(0).split(" ")).hasSize(15);
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
