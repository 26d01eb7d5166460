package io.braid.groups.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Lists;
import io.braid.core.data.Row;
import io.braid.groups.GroupGoneException;
import io.braid.groups.protocol.JoinRefusal;
import io.braid.testkit.runtime.Clocks;
import io.braid.testkit.runtime.ManualSeams;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A client of group nodes that follow a script. */
class RemoteGroupTest {
  private static final Row ROW = Row.of("t", "r");

  private static final long NUMBER = 7;

  private final List<String> said = new ArrayList<>();
  private final List<Wire.Target> meant = new ArrayList<>();
  private int lost;
  private long number;
  private boolean handedOver;

  private final class ScriptedLine implements ClientNetwork.Line {
    private final String address;

    ScriptedLine(String address) {
      this.address = address;
    }

    @Override
    public Bytes ask(Bytes request) throws IOException {
      int kind = new Decoder(request).u8();
      said.add(address + " " + kind);
      if (kind == Wire.DELETE) {
        meant.add(Wire.Target.decode(arguments(request)));
        if (meant.size() <= lost) {
          throw new IOException("The answer is lost.");
        }
      }
      if (kind == Wire.OPEN && address.equals("old:1")) {
        return new Encoder(16).u8(Wire.ELSEWHERE).text("new:1").finish();
      }
      if (kind == Wire.PING && handedOver && address.equals("old:1")) {
        return Wire.failure(new GroupGoneException("g", "is led by another node"));
      }
      Encoder to = new Encoder(64).u8(Wire.DONE);
      if (kind == Wire.CREATE || kind == Wire.OPEN) {
        to.text("g").varint(NUMBER).row(ROW);
        Lists.encode(to, List.of(ROW), (row, out) -> out.row(row));
        Lists.encode(to, List.<JoinRefusal>of(), JoinRefusal::encode);
      }
      if (kind == Wire.NUMBER) {
        to.varint(NUMBER + number++);
      }
      return to.finish();
    }

    @Override
    public void close() {}
  }

  private static Decoder arguments(Bytes request) {
    Decoder from = new Decoder(request);
    from.u8();
    return from;
  }

  private RemoteGroups connect() {
    return RemoteGroups.connect(
        new ManualSeams(new Clocks(), "client"),
        ScriptedLine::new,
        List.of("old:1"),
        Duration.ofSeconds(1));
  }

  /** A deletion by name that is asked for again would meet the next group of that name. */
  @Test
  void aDeletionWhoseAnswerIsLostIsRepeatedForTheSameGroup() {
    lost = 2;
    connect().delete("g");
    assertThat(meant).hasSize(3).containsOnly(new Wire.Target("g", NUMBER));
  }

  @Test
  void aGroupThatIsClosedMeansItselfAlsoOnAnotherConnection() {
    lost = 1;
    connect().create(List.of(ROW)).close();
    assertThat(meant).hasSize(2).containsOnly(new Wire.Target("g", NUMBER));
  }

  /** Else the new leader would take the group for one that nobody uses. */
  @Test
  void aGroupThatIsOpenIsOpenedAgainAtItsNewLeader() {
    RemoteGroup group = (RemoteGroup) connect().create(List.of(ROW));
    group.ping();
    assertThat(said).containsExactly("old:1 " + Wire.CREATE, "old:1 " + Wire.PING);
    handedOver = true;
    group.ping();
    group.ping();
    assertThat(said).endsWith("old:1 " + Wire.OPEN, "new:1 " + Wire.OPEN, "new:1 " + Wire.PING);
  }
}
