package io.braid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.groups.Group;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fault 70: an interrupted thread can open, commit, roll back and close, and stays interrupted. */
class InterruptedCallerTest {
  private static final Row ROW = Row.of("t", "r");
  private static final Row OF_GROUP = Row.of("t", "g");
  private static final Column<String> COLUMN = Column.of("f", "c", Codecs.utf8());

  @TempDir Path directory;

  @AfterEach
  void clear() {
    boolean unused = Thread.interrupted();
  }

  private static void interrupted(Runnable call) {
    Thread.currentThread().interrupt();
    call.run();
    assertThat(Thread.interrupted()).as("the flag is kept").isTrue();
  }

  @Test
  void allThatACallerDoesGoesOnWithTheFlagSet() {
    Braid[] opened = new Braid[1];
    interrupted(() -> opened[0] = Braid.open(directory.resolve("db")));
    Braid db = opened[0];
    interrupted(() -> db.ensureTable("t", "f"));
    interrupted(
        () -> {
          try (Transaction tx = db.begin()) {
            tx.set(ROW, COLUMN, "committed");
            tx.commit();
          }
        });
    interrupted(
        () -> {
          try (Transaction tx = db.begin()) {
            tx.set(ROW, COLUMN, "rolled back");
          }
        });
    Group group = db.group(List.of(OF_GROUP));
    group.run(
        tx -> {
          tx.set(OF_GROUP, COLUMN, "of a group");
          return true;
        });
    interrupted(group::close);
    try (Snapshot now = db.snapshot()) {
      assertThat(now.get(ROW, COLUMN)).contains("committed");
      assertThat(now.get(OF_GROUP, COLUMN)).contains("of a group");
    }
    interrupted(db::close);
    interrupted(() -> Braid.open(directory.resolve("db")).close());
  }

  @Test
  void closingHidesNoOtherFailure() {
    assertThatThrownBy(
            () -> {
              try (Braid db = Braid.open(directory.resolve("db"))) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("the user's own, with " + db);
              }
            })
        .isInstanceOf(IllegalStateException.class)
        .satisfies(e -> assertThat(e.getSuppressed()).isEmpty());
  }
}
