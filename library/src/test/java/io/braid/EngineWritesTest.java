package io.braid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.batch.JobException;
import io.braid.batch.LoadContext;
import io.braid.batch.engine.AttemptFiles;
import io.braid.batch.engine.EngineLoad;
import io.braid.batch.engine.EngineSnapshots;
import io.braid.batch.engine.EngineWrites;
import io.braid.batch.engine.TaskSink;
import io.braid.batch.rows.Conflicts;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.loads.DecideLoad;
import io.braid.core.store.Durability;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.testkit.MemoryStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What drivers of engines leave when they die, and who clears it away. */
class EngineWritesTest {
  private static final Column<String> X = Column.of("f", "x", Codecs.utf8());

  @TempDir Path dir;

  private Braid open() {
    Braid db = Braid.open(dir.resolve("db"));
    db.ensureTable("t", "f");
    return db;
  }

  private Path files() {
    return dir.resolve("files");
  }

  private static Map<io.braid.core.data.ColumnName, Bytes> value(String text) {
    return Map.of(X.name(), Bytes.of(text));
  }

  private EngineSnapshots byFiles(LoadContext loads) throws IOException {
    return EngineSnapshots.begin(loads, "w", "t", files(), Conflicts.NEWER);
  }

  private AttemptFiles.WrittenFiles attempt(LoadContext loads) throws IOException {
    try (AttemptFiles task =
        new AttemptFiles(loads, EngineSnapshots.files(files()), "t", "attempt", 0)) {
      task.put(Bytes.of("k"), value("v"));
      return task.finish();
    }
  }

  private void stage(LoadContext loads, boolean commits) {
    EngineLoad load = EngineLoad.begin(loads, "w", "t", Conflicts.NEWER, Optional.of(files()));
    try (TaskSink sink = load.sink("task", 1)) {
      sink.put(Bytes.of("k"), value("v"));
      sink.finish();
    }
    if (commits) {
      load.commit();
    }
  }

  private static void requireClear(Braid db, EngineWrites writes) {
    assertThat(writes.all()).isEmpty();
    assertThat(db.loads().transactions().pins()).isEmpty();
    assertThatThrownBy(() -> writes.reclaim("w"))
        .isInstanceOf(JobException.class)
        .hasMessageContaining("no write w");
  }

  /** A write that keeps no files has none to clear away, least of all where somebody stands. */
  @Test
  void aWriteWithoutFilesTakesNobodysFiles() throws IOException {
    Path mine = Path.of("snapshots", "mine-" + ProcessHandle.current().pid());
    Files.createDirectories(Path.of("snapshots"));
    Files.writeString(mine, "x");
    try {
      try (Braid db = open()) {
        EngineLoad.begin(db.loads(), "w", "t", Conflicts.NEWER);
      }
      try (Braid db = open()) {
        assertThat(new EngineWrites(db.loads()).reclaim("w")).isFalse();
      }
      assertThat(mine).exists();
    } finally {
      Files.deleteIfExists(mine);
      Files.deleteIfExists(Path.of("snapshots"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"files", "stage"})
  void whatADeadDriverLeftIsFoundAndGoes(String way) throws IOException {
    try (Braid db = open()) {
      if (way.equals("files")) {
        byFiles(db.loads());
        attempt(db.loads());
      } else {
        Files.createDirectories(EngineSnapshots.files(files()));
        attempt(db.loads()); // of which the rows are staged
        stage(db.loads(), false);
      }
      assertThat(files()).exists();
      assertThat(new EngineWrites(db.loads()).all()).hasSize(1);
    }
    try (Braid db = open()) {
      EngineWrites writes = new EngineWrites(db.loads());
      EngineWrites.Write left = writes.all().get(0);
      assertThat(left.id()).isEqualTo("w");
      assertThat(left.table()).isEqualTo("t");
      assertThat(writes.isAlive(left)).isFalse();
      assertThat(db.loads().transactions().pins()).hasSize(1);
      assertThat(writes.reclaim("w")).as("committed").isFalse();
      requireClear(db, writes);
      assertThat(files()).doesNotExist();
      assertThat(db.snapshot().get(Row.of("t", "k"), X)).isEmpty();
      // The table is free for the next.
      if (way.equals("files")) {
        EngineSnapshots next =
            EngineSnapshots.begin(db.loads(), "w", "t", files(), Conflicts.NEWER);
        next.commit(List.of(attempt(db.loads())));
        assertThat(db.snapshot().get(Row.of("t", "k"), X)).contains("v");
      }
    }
  }

  /** As an engine does whose master was killed: the next one goes on with the same load. */
  @Test
  void whoGoesOnWithALoadOwnsIt() {
    try (Braid db = open()) {
      stage(db.loads(), false);
    }
    try (Braid db = open()) {
      EngineWrites writes = new EngineWrites(db.loads());
      EngineWrites.Write left = writes.all().get(0);
      assertThat(writes.isAlive(left)).isFalse();
      EngineLoad again = EngineLoad.begin(db.loads(), "w", "t", Conflicts.NEWER);
      assertThat(writes.isAlive(writes.all().get(0))).isTrue();
      assertThat(writes.all().get(0).begunMillis()).isEqualTo(left.begunMillis());
      again.commit();
      requireClear(db, writes);
    }
  }

  @Test
  void whatHasCommittedStays() throws IOException {
    try (Braid db = open()) {
      EngineSnapshots load = byFiles(db.loads());
      // Its files cannot be removed: as if it had died behind the commit.
      Path inTheWay = EngineSnapshots.files(files()).resolve("sub");
      Files.createDirectories(inTheWay.resolve("sub"));
      load.commit(List.of(attempt(db.loads())));
      EngineWrites writes = new EngineWrites(db.loads());
      assertThat(writes.all()).hasSize(1);
      assertThat(writes.isAlive(writes.all().get(0))).isTrue();
      Files.delete(inTheWay.resolve("sub"));
      assertThat(writes.reclaim("w")).as("committed").isTrue();
      requireClear(db, writes);
      assertThat(db.snapshot().get(Row.of("t", "k"), X)).contains("v");
    }
  }

  /** Its driver lives, and writes the record that it commits by only afterwards. */
  @Test
  void whatIsGivenUpBeforeItsRecordIsWrittenCannotCommit() {
    AtomicReference<EngineWrites> reclaims = new AtomicReference<>();
    ForwardingStore store =
        new ForwardingStore(new MemoryStore()) {
          @Override
          public <A, R> List<Outcome<R>> execute(
              Procedure<A, R> procedure, List<A> arguments, Durability durability) {
            if (arguments.get(0) instanceof DecideLoad.Request request && request.begin() != null) {
              EngineWrites once = reclaims.getAndSet(null);
              if (once != null) {
                try {
                  assertThat(once.reclaim("w")).as("committed").isFalse();
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              }
            }
            return super.execute(procedure, arguments, durability);
          }
        };
    try (Braid db = Braid.over(store, BraidConfig.defaults())) {
      db.ensureTable("t", "f");
      EngineWrites writes = new EngineWrites(db.loads());
      reclaims.set(writes);
      EngineLoad load = EngineLoad.begin(db.loads(), "w", "t", Conflicts.NEWER);
      requireClear(db, writes);
      assertThatThrownBy(load::commit)
          .isInstanceOf(JobException.class)
          .hasMessageContaining("given up");
    }
  }

  @Test
  void whatEndsByItselfIsNotListed() throws IOException {
    try (Braid db = open()) {
      EngineWrites writes = new EngineWrites(db.loads());
      byFiles(db.loads()).abort();
      requireClear(db, writes);
      stage(db.loads(), true);
      requireClear(db, writes);
    }
  }
}
