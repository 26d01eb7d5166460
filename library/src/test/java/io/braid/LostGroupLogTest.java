package io.braid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.groups.Group;
import io.braid.groups.GroupGoneException;
import io.braid.groups.GroupRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fault 61: the folder with the log of the groups is lost as a whole. */
class LostGroupLogTest {
  private static final Column<Long> CHIPS = Column.of("f", "chips", Codecs.int64());
  private static final Row ALICE = Row.of("players", "alice");

  @TempDir Path dir;

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path each : (Iterable<Path>) all::iterator) {
        Files.copy(each, to.resolve(from.relativize(each).toString()));
      }
    }
  }

  private static void remove(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path each : (Iterable<Path>) all.sorted(Comparator.reverseOrder())::iterator) {
        Files.delete(each);
      }
    }
  }

  @Test
  void whoAsksForAGroupWhoseLogIsLostIsToldSo() throws IOException {
    Path crashed = dir.resolve("crashed");
    try (Braid db = Braid.open(dir.resolve("data"))) {
      db.ensureTable("players", "f");
      Group group = db.group(GroupRequest.of(List.of(ALICE)).named("table"));
      group.update(tx -> tx.set(ALICE, CHIPS, 7L));
      copy(dir.resolve("data"), crashed);
    }
    Path log = crashed.resolve("groups");
    Path aside = dir.resolve("aside");
    Files.move(log, aside);
    try (Braid db = Braid.open(crashed)) {
      assertThatThrownBy(() -> db.groups().open("table").read(ALICE, CHIPS))
          .isInstanceOf(GroupGoneException.class)
          .hasMessageContaining("The log with its commits is not here: restore it from a copy");
    }
    remove(log);
    Files.move(aside, log);
    try (Braid db = Braid.open(crashed);
        Group group = db.groups().open("table")) {
      assertThat(group.read(ALICE, CHIPS)).contains(7L);
    }
  }
}
