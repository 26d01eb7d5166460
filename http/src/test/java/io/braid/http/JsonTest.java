package io.braid.http;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class JsonTest {
  @Test
  void whereABodyEndsTooEarlyIsToldWithoutMore() {
    byte[] cut = "{\"families\":[\"f\"]".getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> Json.read(cut))
        .isInstanceOf(HttpRefusal.class)
        .hasMessageContaining("no JSON")
        .hasMessageContaining("[line: 1, column: ")
        .hasMessageNotContaining("REDACTED");
  }
}
