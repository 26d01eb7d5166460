package io.braid.groups.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.cells.Families;
import io.braid.core.store.Durability;
import io.braid.testkit.MemoryStore;
import io.braid.testkit.runtime.Clocks;
import io.braid.testkit.runtime.ManualSeams;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lives of a node, and what they write in whichever order it arrives. */
class NodeDirectoryTest {
  private static final NodeInfo FIRST = new NodeInfo("n", "t1", "a:1", "a:2", "store");
  private static final NodeInfo SECOND = new NodeInfo("n", "t2", "b:1", "b:2", "store");

  private final Clocks clocks = new Clocks();
  private final MemoryStore memory = new MemoryStore();
  private final NodeDirectory directory =
      new NodeDirectory(memory, new ManualSeams(clocks, "t1"), Durability.BUFFERED);

  @BeforeEach
  void createTable() {
    memory.ensureTable(Families.system());
    clocks.alive.add("t2");
  }

  @Test
  void whatAnEarlierLifeHasSentLateHidesNothing() {
    directory.enter(SECOND, 20);
    directory.enter(FIRST, 10);
    assertThat(directory.live()).containsExactly(SECOND);
    directory.remove(FIRST);
    directory.refresh();
    assertThat(directory.live()).containsExactly(SECOND);
  }

  @Test
  void onlyWhoIsAliveIsThere() {
    directory.enter(FIRST, 10);
    directory.enter(SECOND, 20);
    clocks.alive.remove("t2");
    directory.refresh();
    assertThat(directory.live()).isEmpty();
    directory.enter(FIRST, 30);
    assertThat(directory.live()).containsExactly(FIRST);
    directory.remove(FIRST);
    directory.refresh();
    assertThat(directory.live()).isEmpty();
  }
}
