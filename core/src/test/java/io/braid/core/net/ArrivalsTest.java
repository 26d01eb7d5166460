package io.braid.core.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.net.Arrivals.Arrival;
import java.io.IOException;
import java.net.Socket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Faults 58 and 62: messages that are not whole do not fill the memory, however many there are. */
@Timeout(value = 50, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ArrivalsTest {
  private static final int FREE = 16 << 10;

  private final Arrivals arrivals = new Arrivals(100_000);
  private final Socket firstSocket = new Socket();
  private final Arrival first = arrivals.begin(firstSocket);
  private final Socket secondSocket = new Socket();
  private final Arrival second = arrivals.begin(secondSocket);

  @Test
  void theOneThatBeganFirstMakesRoom() throws IOException {
    first.take(FREE + 60_000);
    second.take(FREE + 30_000);
    assertThat(arrivals.bytes()).isEqualTo(90_000);
    second.take(20_000);
    assertThat(firstSocket.isClosed()).isTrue();
    assertThat(secondSocket.isClosed()).isFalse();
    assertThat(arrivals.bytes()).isEqualTo(50_000);
    assertThat(arrivals.cutOff()).isEqualTo(1);
    assertThatThrownBy(() -> first.take(1)).isInstanceOf(IOException.class);
    assertThat(arrivals.bytes()).isEqualTo(50_000);
    first.close();
    second.close();
    assertThat(arrivals.bytes()).isZero();
  }

  @Test
  void whatIsBeingAnsweredIsNotCutOff() throws IOException {
    first.take(FREE + 60_000);
    first.end();
    assertThatThrownBy(() -> second.take(FREE + 60_000)).isInstanceOf(IOException.class);
    assertThat(firstSocket.isClosed()).isFalse();
    assertThat(secondSocket.isClosed()).isTrue();
    assertThat(arrivals.bytes()).isEqualTo(60_000);
    first.close();
    assertThat(arrivals.bytes()).isZero();
  }

  @Test
  void oneAloneMayBeAsLongAsItLikes() throws IOException {
    first.take(FREE + 1_000_000);
    assertThat(firstSocket.isClosed()).isFalse();
    first.close();
    second.take(FREE + 1_000_000);
    assertThat(secondSocket.isClosed()).isFalse();
    assertThat(arrivals.cutOff()).isZero();
  }

  @Test
  void shortOnesAreNotCounted() throws IOException {
    for (int i = 0; i < 1000; i++) {
      arrivals.begin(new Socket()).take(FREE);
    }
    assertThat(arrivals.bytes()).isZero();
    first.take(FREE - 1);
    first.take(2);
    assertThat(arrivals.bytes()).isEqualTo(1);
  }
}
