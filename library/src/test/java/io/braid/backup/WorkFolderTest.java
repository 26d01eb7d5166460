package io.braid.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.Braid;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import io.braid.core.transaction.Snapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkFolderTest {
  private static final Column<String> X = Column.of("f", "x", Codecs.utf8());

  @TempDir Path dir;

  @Test
  void oneAtATimeMakesAFolder() throws IOException {
    Path place = dir.resolve("place");
    try (WorkFolder first = WorkFolder.begin(place)) {
      Files.writeString(first.folder().resolve("whose"), "first");
      assertThatThrownBy(() -> WorkFolder.begin(place))
          .isInstanceOfSatisfying(
              BraidException.class, failed -> assertThat(failed.code()).isEqualTo(ErrorCode.BACKUP))
          .hasMessageContaining("Another backup or restore makes " + place);
      first.finish();
    }
    assertThat(place.resolve("whose")).content().isEqualTo("first");
    assertThatThrownBy(() -> WorkFolder.begin(place))
        .isInstanceOfSatisfying(
            BraidException.class, failed -> assertThat(failed.code()).isEqualTo(ErrorCode.BACKUP))
        .hasMessageContaining("There is something at");
    assertThat(dir).isDirectoryNotContaining("glob:**.unfinished");
  }

  @Test
  void whatACrashLeftIsRemoved() throws IOException {
    Path left = Files.createDirectories(dir.resolve("place.unfinished/made"));
    Files.writeString(left.resolve("half"), "half");
    assertThatThrownBy(() -> WorkFolder.begin(dir.resolve("place")))
        .isInstanceOfSatisfying(
            BraidException.class, failed -> assertThat(failed.code()).isEqualTo(ErrorCode.BACKUP))
        .hasMessageContaining("not of Braid");
    Files.createFile(left.resolveSibling("BRAID-UNFINISHED"));
    try (WorkFolder next = WorkFolder.begin(dir.resolve("place"))) {
      assertThat(next.folder()).isEmptyDirectory();
      next.abandon();
    }
    assertThat(dir).isEmptyDirectory();
  }

  /** Of restores into one folder at once one is done, whole, and the others are refused. */
  @Test
  void restoresIntoOneFolderDoNotMix() throws Exception {
    Path whole = dir.resolve("whole");
    Path increment = dir.resolve("increment");
    Backup backup = new Backup((step, bytes) -> {});
    try (Braid db = Braid.open(dir.resolve("db"))) {
      db.ensureTable("t", "f");
      set(db, "a");
      backup.create(db, whole);
      set(db, "b");
      backup.increment(db, whole, increment);
    }
    Path to = dir.resolve("to");
    ExecutorService threads = Executors.newFixedThreadPool(4);
    List<Future<String>> restores = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      List<Path> increments = i % 2 == 0 ? List.of() : List.of(increment);
      restores.add(
          threads.submit(
              () -> {
                backup.restore(whole, increments, to);
                return increments.isEmpty() ? "a" : "b";
              }));
    }
    List<String> done = new ArrayList<>();
    for (Future<String> each : restores) {
      try {
        done.add(each.get());
      } catch (ExecutionException e) {
        assertThat(e.getCause())
            .isInstanceOfSatisfying(
                BraidException.class,
                failed -> assertThat(failed.code()).isEqualTo(ErrorCode.BACKUP));
      }
    }
    threads.shutdown();
    assertThat(done).hasSize(1);
    try (Braid db = Braid.open(to);
        Snapshot now = db.snapshot()) {
      assertThat(now.get(Row.of("t", "r"), X)).contains(done.get(0));
    }
  }

  private static void set(Braid db, String value) {
    db.run(
        tx -> {
          tx.set(Row.of("t", "r"), X, value);
          return true;
        });
  }
}
