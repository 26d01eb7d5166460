package io.braid.groups.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Encoder;
import io.braid.core.data.Row;
import io.braid.core.store.Durability;
import io.braid.core.store.RowWrite;
import io.braid.groups.GroupException;
import io.braid.testkit.MemoryStore;
import io.braid.testkit.runtime.Clocks;
import io.braid.testkit.runtime.ManualSeams;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lives of a node, and what they write in whichever order it arrives. */
class NodeDirectoryTest {
  private static final NodeInfo FIRST = new NodeInfo("n", "t1", "a:1", "a:2", "store", "udp");
  private static final NodeInfo SECOND = new NodeInfo("n", "t2", "b:1", "b:2", "store", "udp");

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

  /** Two nodes that both think they are alone: each looks again when it has entered. */
  @Test
  void whoSpeaksAnotherNetworkIsRefusedBeforeAndAfterItHasEntered() {
    NodeInfo other = new NodeInfo("m", "t2", "b:1", "b:2", "store", "grpc");
    directory.admit(FIRST);
    directory.enter(FIRST, 10);
    assertThatThrownBy(() -> directory.admit(other))
        .isInstanceOf(GroupException.class)
        .hasMessageContaining("'n' at a:1")
        .hasMessageContaining("the release of the others");
    directory.enter(other, 20);
    assertThatThrownBy(() -> directory.requireSameNetwork(other))
        .isInstanceOf(GroupException.class)
        .hasMessageContaining("would by grpc");
    clocks.alive.remove("t2");
    directory.admit(new NodeInfo("o", "t3", "c:1", "c:2", "store", "udp"));
  }

  @Test
  void aRecordFromBeforeNetworksWereWrittenDownIsRead() {
    Bytes old =
        new Encoder(64).u8(1).text("n").text("t1").text("a:1").text("a:2").text("store").finish();
    NodeInfo read = NodeInfo.decode(old);
    assertThat(read).isEqualTo(new NodeInfo("n", "t1", "a:1", "a:2", "store", ""));
    assertThat(NodeInfo.decode(SECOND.encode())).isEqualTo(SECOND);
    memory.write(
        List.of(
            RowWrite.put(
                Row.of(Families.SYSTEM_TABLE, "group-node/n"),
                new Cell(ColumnName.of(Families.SYSTEM, "node"), 10, old))),
        Durability.BUFFERED);
    directory.admit(new NodeInfo("m", "t2", "b:1", "b:2", "store", "grpc"));
    assertThat(directory.live()).containsExactly(read);
  }
}
