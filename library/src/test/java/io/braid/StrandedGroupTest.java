package io.braid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.groups.Group;
import io.braid.groups.GroupException;
import io.braid.groups.GroupInfo;
import io.braid.groups.GroupRequest;
import io.braid.groups.Groups;
import io.braid.groups.node.NodeOptions;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Groups with rows in a table that is gone. */
class StrandedGroupTest {
  private static final Column<Long> CHIPS = Column.of("f", "chips", Codecs.int64());
  private static final Row ALICE = Row.of("players", "alice");
  private static final Row BOB = Row.of("players", "bob");
  private static final Row LOST = Row.of("lost", "x");

  @TempDir Path dir;

  private Braid open() {
    Braid db = Braid.open(dir);
    db.ensureTable("players", "f");
    return db;
  }

  private static Groups groups(Braid db, boolean node) {
    return node
        ? GroupNodes.connect(db.groupNodes().start(NodeOptions.named("n")).info().address())
        : db.groups();
  }

  private static void create(Groups groups, String name, Row... rows) {
    Group group = groups.create(GroupRequest.of(List.of(rows)).named(name));
    group.update(tx -> tx.set(rows[rows.length - 1], CHIPS, 7L));
    group.detach();
  }

  /** Fault 38. Its table was dropped by who knows nothing of groups. */
  @ParameterizedTest
  @CsvSource({"false, false", "false, true", "true, false", "true, true"})
  void aGroupThatCannotBeTakenUpKeepsNoOtherFromIt(boolean node, boolean leads) {
    try (Braid db = open()) {
      db.ensureTable("lost", "f");
      Groups groups = groups(db, node);
      create(groups, "stranded", leads ? LOST : ALICE, leads ? ALICE : LOST);
      create(groups, "well", BOB);
      db.store().dropTable("lost");
    }
    try (Braid db = open()) {
      Groups groups = groups(db, node);
      assertThat(groups.open("well").read(BOB, CHIPS)).contains(7L);
      GroupInfo stranded = groups.find("stranded").orElseThrow();
      assertThat(stranded.trouble()).contains("lost");
      assertThat(groups.list()).hasSize(2).contains(stranded);
      assertThatThrownBy(() -> groups.open("stranded"))
          .isInstanceOf(GroupException.class)
          .hasMessageContaining("no table lost");
      assertThatThrownBy(() -> groups.delete("stranded"))
          .isInstanceOf(GroupException.class)
          .hasMessageContaining("no table lost")
          .hasMessageContaining("--force");
      groups.giveUp(stranded);
      groups.giveUp(stranded);
      assertThat(groups.list()).extracting(GroupInfo::name).containsExactly("well");
      write(db, ALICE);
      groups.giveUp(groups.find("well").orElseThrow());
      assertThat(groups.list()).isEmpty();
      try (var now = db.snapshot()) {
        assertThat(now.get(BOB, CHIPS)).as("what can be ended is not given up").contains(7L);
      }
    }
  }

  private static void write(Braid db, Row row) {
    db.run(
        tx -> {
          tx.set(row, CHIPS, 1L);
          return 0;
        });
  }

  @ParameterizedTest
  @CsvSource({"false", "true"})
  void aGroupThatIsLedAndCannotBeShippedIsGivenUp(boolean node) {
    try (Braid db = open()) {
      db.ensureTable("lost", "f");
      Groups groups = groups(db, node);
      create(groups, "well", BOB);
      Group group = groups.create(GroupRequest.of(List.of(ALICE, LOST)).named("stranded"));
      group.update(tx -> tx.set(ALICE, CHIPS, 1L));
      db.store().dropTable("lost");
      group.update(tx -> tx.set(LOST, CHIPS, 1L));
      assertThatThrownBy(() -> groups.delete("stranded"))
          .isInstanceOf(GroupException.class)
          .hasMessageContaining("--force");
      groups.giveUp(groups.find("stranded").orElseThrow());
      assertThat(groups.list()).extracting(GroupInfo::name).containsExactly("well");
      write(db, ALICE);
    }
  }

  @Test
  void aTableWithRowsOfGroupsIsNotDropped() {
    try (Braid db = open()) {
      db.ensureTable("lost", "f");
      create(db.groups(), "well", ALICE);
      Group group = db.groups().create(GroupRequest.of(List.of(BOB, LOST)).named("mixed"));
      assertThatThrownBy(() -> db.dropTable("lost"))
          .isInstanceOf(GroupException.class)
          .hasMessageContaining("lost")
          .hasMessageEndingWith("first: mixed.");
      group.update(tx -> tx.set(LOST, CHIPS, 1L));
      group.close();
      db.dropTable("lost");
      assertThat(db.store().table("lost")).isEmpty();
    }
  }
}
