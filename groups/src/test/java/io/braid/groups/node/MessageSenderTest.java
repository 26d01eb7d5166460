package io.braid.groups.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.Row;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.store.Durability;
import io.braid.groups.protocol.GroupId;
import io.braid.groups.protocol.Message;
import io.braid.groups.protocol.Messaging;
import io.braid.testkit.MemoryStore;
import io.braid.testkit.runtime.Clocks;
import io.braid.testkit.runtime.ManualSeams;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages on their way out. */
class MessageSenderTest {
  /** Sends nothing to nodes whose host nobody knows the address of. */
  private static final class Network implements Transport {
    final BlockingQueue<Bytes> sent = new LinkedBlockingQueue<>();
    private final boolean memoryEnds;

    Network(boolean memoryEnds) {
      this.memoryEnds = memoryEnds;
    }

    @Override
    public Messaging messaging() {
      return Messaging.UNRELIABLE;
    }

    @Override
    public String address() {
      return "here:1";
    }

    @Override
    public int limit() {
      return 1400;
    }

    @Override
    public void start(Receiver receiver) {}

    @Override
    public void send(String address, Bytes packet) {
      if (address.startsWith("unknown")) {
        if (memoryEnds) {
          throw new OutOfMemoryError("on purpose");
        }
        throw new IllegalArgumentException("unresolved address");
      }
      sent.add(packet);
    }

    @Override
    public long refused() {
      return 0;
    }

    @Override
    public void close() {}
  }

  private static NodeMessage message(String to) {
    GroupId group = new GroupId("a", 7, Row.of("t", "k"));
    return new NodeMessage("a", to, new Message.Delete(group, List.of(Row.of("t", "k"))), "", 1);
  }

  /** A name server that is away for a moment: UDP knows no way to such a node; or no memory. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aNodeThatCannotBeSentToKeepsNoOtherFromItsMessages(boolean memoryEnds)
      throws InterruptedException {
    Clocks clocks = new Clocks();
    MemoryStore memory = new MemoryStore();
    memory.ensureTable(Families.system());
    clocks.alive.add("t2");
    NodeDirectory nodes =
        new NodeDirectory(memory, new ManualSeams(clocks, "t1"), Durability.BUFFERED);
    nodes.enter(new NodeInfo("b", "t1", "unknown:1", "unknown:2", "store", "udp"), 10);
    nodes.enter(new NodeInfo("c", "t2", "known:1", "known:2", "store", "udp"), 20);
    Network network = new Network(memoryEnds);
    try (MessageSender sender = new MessageSender(network, nodes, new SystemSeams())) {
      sender.send(message("b"));
      sender.send(message("c"));
      assertThat(network.sent.poll(30, TimeUnit.SECONDS)).isNotNull();
      sender.send(message("b"));
      sender.send(message("c"));
      assertThat(network.sent.poll(30, TimeUnit.SECONDS)).isNotNull();
    }
  }
}
