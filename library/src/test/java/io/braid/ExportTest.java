package io.braid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.batch.export.TableExport;
import io.braid.batch.mapping.Mapping;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.Snapshot;
import io.braid.testkit.MemoryStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an export writes is its own, and nobody else's. */
class ExportTest {
  private static final Column<String> NAME = Column.of("f", "name", Codecs.utf8());
  private static final int ROWS = 50;

  @TempDir Path dir;

  private static Braid database(String name) {
    Braid db = Braid.over(new MemoryStore(), BraidConfig.defaults());
    db.ensureTable("t", "f");
    db.run(
        tx -> {
          for (int i = 0; i < ROWS; i++) {
            tx.set(Row.of("t", "r" + i), NAME, name);
          }
          return tx;
        });
    return db;
  }

  private static TableExport.Report export(Braid db, Path file, LongConsumer progress)
      throws IOException {
    try (Snapshot now = db.snapshot()) {
      Mapping mapping = Mapping.ofFamily(List.of("id"), "f");
      return new TableExport(db.loads(), "t", mapping, 2).run(now, file, progress);
    }
  }

  @Test
  void ofTwoThatWriteOneFileOneIsRefusedAndTheFileIsOfTheOther() throws IOException {
    Path file = dir.resolve("t.jsonl");
    AtomicBoolean first = new AtomicBoolean(true);
    try (Braid slow = database("slow");
        Braid fast = database("fast")) {
      LongConsumer meanwhile =
          rows -> {
            if (first.getAndSet(false)) {
              try {
                assertThat(export(fast, file, more -> {}).rows()).isEqualTo(ROWS);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            }
          };
      assertThatThrownBy(() -> export(slow, file, meanwhile))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("There is a file " + file + " already.");
    }
    assertThat(Files.readAllLines(file)).hasSize(ROWS).allMatch(line -> line.contains("fast"));
    assertThat(dir.toFile().list()).containsExactly("t.jsonl");
  }

  @Test
  void aFolderThatIsNotThereIsNamed() {
    Path file = dir.resolve("none/t.jsonl");
    try (Braid db = database("x")) {
      assertThatThrownBy(() -> export(db, file, rows -> {}))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("There is no folder " + dir.resolve("none"));
    }
  }

  @Test
  void filesWithNamesAlikeStay() throws IOException {
    Files.writeString(dir.resolve("t.jsonl.part-0"), "mine");
    Files.writeString(dir.resolve("t.jsonl.new"), "mine");
    try (Braid db = database("x")) {
      export(db, dir.resolve("t.jsonl"), rows -> {});
    }
    assertThat(dir.resolve("t.jsonl.part-0")).hasContent("mine");
    assertThat(dir.resolve("t.jsonl.new")).hasContent("mine");
    assertThat(dir.toFile().list()).hasSize(3);
  }
}
