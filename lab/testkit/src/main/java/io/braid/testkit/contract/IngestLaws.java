package io.braid.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.Row;
import io.braid.core.store.RowRead;
import io.braid.core.store.Selection;
import io.braid.core.store.SortedFileWriter;
import io.braid.core.store.StoreException;
import io.braid.core.store.TableSchema;
import io.braid.testkit.CellText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Sorted files are taken over whole and at one instant, or refused with nothing changed. */
interface IngestLaws extends StoreUnderTest {
  @Test
  default void ingestedCellsCountAsWrittenNow() {
    put("a d:q@5=old", "a d:q@6=kept", "a e:q@5=kept", "b d:q@1=kept");

    store()
        .ingest(
            TABLE, "d", List.of(file("d", "a d:q@5=new", "c d:q@5=new"), file("d", "b d:p@5=")));

    assertThat(dump())
        .containsExactly(
            "a d:q@6=kept",
            "a d:q@5=new",
            "a e:q@5=kept",
            "b d:p@5=",
            "b d:q@1=kept",
            "c d:q@5=new");
    remove(A, DATA, 5);
    put("c d:q@5=later");
    assertThat(dump())
        .containsExactly(
            "a d:q@6=kept", "a e:q@5=kept", "b d:p@5=", "b d:q@1=kept", "c d:q@5=later");
  }

  @Test
  default void everyKindOfFamilyIngests() {
    for (String family : List.of("d", "l", "s")) {
      put("a " + family + ":q@5=old", "a " + family + ":q@7=kept");
      store()
          .ingest(
              TABLE,
              family,
              List.of(file(family, "a " + family + ":q@5=new", "b " + family + ":q@5=")));

      assertThat(read(A, Selection.family(family)))
          .containsExactly(family + ":q@7=kept", family + ":q@5=new");
      assertThat(run(Program.over(B).family(B, family, Bytes.of("q"))))
          .containsExactly(family + ":q@5=");
    }
  }

  @Test
  default void ingestCrossesTablets() {
    store().splitTablet(TABLE, Bytes.of("b"));
    store().splitTablet(TABLE, Bytes.of("m"));

    store().ingest(TABLE, "d", List.of(file("d", "a d:q@1=", "b d:q@1=", "z d:q@1=")));

    assertThat(dump()).containsExactly("a d:q@1=", "b d:q@1=", "z d:q@1=");
  }

  @Test
  default void keysOfAnyBytesIngest() {
    Path file = newFile();
    try (SortedFileWriter writer = store().sortedFile(TABLE, "d", file)) {
      for (Bytes key : CellLaws.TRICKY) {
        for (Bytes qualifier : CellLaws.TRICKY) {
          writer.put(key, qualifier, 2, key);
          writer.put(key, qualifier, 1, qualifier);
        }
      }
      writer.finish();
    }
    store().ingest(TABLE, "d", List.of(file));

    for (Bytes key : CellLaws.TRICKY) {
      List<Cell> cells =
          store().read(RowRead.of(Row.of(TABLE, key), Selection.family("d"))).cells();
      assertThat(cells.stream().filter(cell -> cell.version() == 1).map(Cell::value))
          .containsExactlyElementsOf(CellLaws.TRICKY);
      assertThat(cells.stream().filter(cell -> cell.version() == 2).map(Cell::value))
          .hasSize(CellLaws.TRICKY.size())
          .containsOnly(key);
    }
  }

  @Test
  default void filesWithoutCellsAndNoFilesChangeNothing() {
    store().ingest(TABLE, "d", List.of());
    store().ingest(TABLE, "d", List.of(file("d")));

    assertThat(dump()).isEmpty();
  }

  @Test
  default void drawsLieAboveIngestedVersions() {
    store().advanceClock(T);

    store().ingest(TABLE, "d", List.of(file("d", "a d:q@" + ClockLaws.LATER + "=")));

    assertThat(draw(A, T)).isGreaterThan(ClockLaws.LATER);
  }

  @Test
  default void filesOfOneIngestShowAtOneInstant() throws Exception {
    AtomicInteger round = new AtomicInteger();
    new Race()
        .rounds(
            10,
            version -> {
              Path one = file("d", "a d:p@" + version + "=");
              Path two = file("d", "a d:q@" + version + "=");
              store().ingest(TABLE, "d", List.of(one, two));
              round.set(version);
            })
        .meanwhile(
            () -> {
              int least = round.get();
              List<String> cells = read(A, Selection.family("d"), Selection.column(OTHER));
              assertThat(cells.size()).isGreaterThanOrEqualTo(2 * least).isEven();
              assertThat(cells.stream().filter(cell -> cell.startsWith("d:p")).count() * 2)
                  .isEqualTo(cells.size());
            })
        .run();
  }

  /** Fault 46. */
  @Test
  default void truncatedFilesAreRefused() throws IOException {
    Path good = file("d", "a d:q@1=good");
    Path cut = file("d", "b d:q@1=cut", "c d:q@1=cut");
    byte[] whole = Files.readAllBytes(cut);
    for (int length : new int[] {0, 1, whole.length / 2, whole.length - 9, whole.length - 1}) {
      Files.write(cut, Arrays.copyOf(whole, length));
      assertRefused("d", good, cut);
    }
    Files.write(cut, Arrays.copyOf(whole, whole.length + 1));
    assertRefused("d", good, cut);

    Files.write(cut, whole);
    store().ingest(TABLE, "d", List.of(good, cut));
    assertThat(dump()).hasSize(3);
  }

  /** Fault 46. */
  @Test
  default void corruptFilesAreRefused() throws IOException {
    Path good = file("d", "a d:q@1=good");
    Path corrupt = file("d", "b d:q@1=corrupt");
    byte[] whole = Files.readAllBytes(corrupt);
    int step = Math.max(1, whole.length / 40);
    for (int at = 0; at < whole.length; at += step) {
      byte[] flipped = whole.clone();
      flipped[at] ^= (byte) (1 << (at % 8));
      Files.write(corrupt, flipped);
      assertRefused("d", good, corrupt);
    }
  }

  /** Fault 46. */
  @Test
  default void foreignFilesAreRefused() throws IOException {
    store().ensureTable(new TableSchema("u", SCHEMA.families()));
    Path good = file("d", "a d:q@1=good");
    Path text = newFile();
    Files.writeString(text, "These are no cells at all, whatever the name of the file says.");

    assertRefused("d", good, text);
    assertRefused("d", good, newFile());
    assertRefused("e", good);
    assertThatThrownBy(() -> store().ingest("u", "d", List.of(good)))
        .isInstanceOf(StoreException.class);

    assertThat(CellText.dump(store(), "u")).isEmpty();
    store().ingest(TABLE, "d", List.of(good));
    assertThat(dump()).containsExactly("a d:q@1=good");
  }

  private void assertRefused(String family, Path... files) {
    assertThatThrownBy(() -> store().ingest(TABLE, family, List.of(files)))
        .isInstanceOf(StoreException.class);
    assertThat(dump()).isEmpty();
  }

  /** Fault 46: unsorted cells never get into a file. */
  @Test
  default void unsortedCellsAreRefused() {
    Path file = newFile();
    try (SortedFileWriter writer = store().sortedFile(TABLE, "d", file)) {
      writer.put(Bytes.of("b"), Bytes.of("q"), 5, Bytes.EMPTY);
      for (String line : List.of("a d:q@5=", "b d:p@5=", "b d:q@6=", "b d:q@5=again")) {
        assertThatThrownBy(() -> append(writer, line)).isInstanceOf(IllegalArgumentException.class);
      }
      append(writer, "b d:q@4=");
      append(writer, "b d:r@9=");
      append(writer, "c d:a@9=");
      writer.finish();
    }
    store().ingest(TABLE, "d", List.of(file));

    assertThat(dump()).containsExactly("b d:q@5=", "b d:q@4=", "b d:r@9=", "c d:a@9=");
  }

  @Test
  default void unfinishedFileIsRemoved() {
    Path file = newFile();
    try (SortedFileWriter writer = store().sortedFile(TABLE, "d", file)) {
      append(writer, "b d:q@4=");
    }

    assertThat(file).doesNotExist();
  }

  @Test
  default void fileThatExistsIsNotOverwritten() throws IOException {
    Path file = newFile();
    Files.writeString(file, "mine");

    assertThatThrownBy(() -> store().sortedFile(TABLE, "d", file))
        .isInstanceOf(StoreException.class);

    assertThat(file).hasContent("mine");
  }

  private Path file(String family, String... lines) {
    Path file = newFile();
    try (SortedFileWriter writer = store().sortedFile(TABLE, family, file)) {
      for (String line : lines) {
        append(writer, line);
      }
      writer.finish();
    }
    return file;
  }

  private static void append(SortedFileWriter writer, String line) {
    Cell cell = CellText.cell(line);
    writer.put(CellText.rowKey(line), cell.column().qualifier(), cell.version(), cell.value());
  }
}
