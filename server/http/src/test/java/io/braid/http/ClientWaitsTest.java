package io.braid.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

/** Fault 62: who makes room when clients hold too much. */
class ClientWaitsTest {
  private final ClientWaits waits =
      new ClientWaits(new ClientWaits.Bounds(5, 1000, 100, 50, 60, 900));
  private final Connections connections =
      new Connections(
          new Connections.Bounds(9, 0, 9, 9), Connections.Patience.USUAL, waits, null, false);

  private Connection connection(int port) {
    return new Connection(
        connections,
        new EmbeddedChannel(),
        new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
  }

  /** It would free nothing. */
  @Test
  void aSmallAnswerMakesNoRoomForLargeOnes() {
    Connection good = connection(1);
    Connection first = connection(2);
    Connection second = connection(3);
    waits.answer(good, 1);
    waits.answer(first, 60);
    waits.answer(second, 60);
    assertThat(waits.answerBytes(first)).isZero();
    assertThat(waits.answerBytes(good)).isEqualTo(1);
    assertThat(waits.answerBytes(second)).isEqualTo(60);
    assertThat(waits.cutOff()).isEqualTo(1);
  }

  @Test
  void theConnectionWithMostWaitsMakesRoom() {
    Connection good = connection(1);
    Connection bad = connection(2);
    waits.answer(good, 1);
    for (int i = 0; i < 4; i++) {
      waits.request(bad, true, () -> "");
    }
    assertThat(waits.gathering()).isEqualTo(4);
    waits.request(good, true, () -> "");
    assertThat(waits.gathering()).as("those of the other one").isEqualTo(1);
    assertThat(waits.answerBytes(good)).isEqualTo(1);
  }

  /** Its bytes are there until its work begins. */
  @Test
  void aWholeRequestIsNotWaitedFor() {
    Connection good = connection(1);
    ClientWaits.Wait whole = waits.request(good, true, () -> "");
    whole.add(10);
    whole.complete();
    assertThat(waits.count()).isZero();
    assertThat(waits.gathering()).isZero();
    assertThat(waits.requestBytes()).isEqualTo(10);
    for (int i = 0; i < 100; i++) {
      waits.look();
    }
    assertThat(waits.cutOff()).isZero();
    whole.end();
    assertThat(waits.requestBytes()).isZero();
    assertThat(waits.count()).isZero();
  }
}
