package io.braid.serving.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.http.HttpRefusal;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/** Fault 54: what a request brings is bounded. */
class WireTest {
  @Test
  void aRequestHasSoManyKeysAndNoMore() {
    Bytes key = Bytes.of("k");
    byte[] most = Wire.keys(Collections.nCopies(Wire.MOST_KEYS, key));
    assertThat(Wire.keys(most)).hasSize(Wire.MOST_KEYS);
    byte[] more = Wire.keys(Collections.nCopies(Wire.MOST_KEYS + 1, key));
    assertThatThrownBy(() -> Wire.keys(more)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aBodyHasSoManyBytesAndNoMore() throws IOException {
    assertThat(Wire.body(new ByteArrayInputStream(new byte[100]), 100)).hasSize(100);
    assertThatThrownBy(() -> Wire.body(new ByteArrayInputStream(new byte[101]), 100))
        .isInstanceOfSatisfying(HttpRefusal.class, e -> assertThat(e.status()).isEqualTo(413));
  }
}
