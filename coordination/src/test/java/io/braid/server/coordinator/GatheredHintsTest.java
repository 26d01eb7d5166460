package io.braid.server.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import io.braid.server.coordinator.HintMessage.HintOffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class GatheredHintsTest {
  private final GatheredHints hints = new GatheredHints();

  private boolean add(int bytes) {
    return hints.add(new HintOffer("t", Bytes.wrap(new byte[bytes - 1])));
  }

  @Test
  void whatIsOverTheBytesIsDroppedUntilSomeWereTaken() {
    int size = GatheredHints.MOST_BYTES_SENT / 2;
    assertThat(add(GatheredHints.MOST_BYTES_SENT + 1)).isFalse();
    for (long i = 0; i < GatheredHints.MOST_BYTES / size; i++) {
      assertThat(add(size)).isTrue();
    }
    assertThat(add(1)).isFalse();

    List<HintOffer> batch = hints.take();

    assertThat(batch).hasSize(2);
    assertThat(HintMessage.offer(batch).length()).isLessThan(Frames.MOST_BYTES);
    assertThat(add(size)).isTrue();
    assertThat(add(size)).isTrue();
    assertThat(add(1)).isFalse();
  }
}
