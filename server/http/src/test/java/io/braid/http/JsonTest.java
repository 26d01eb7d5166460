package io.braid.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
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

  /** What is no number is not taken for one. */
  @Test
  void fieldsOfAnotherKindAreRefused() throws IOException {
    ObjectNode body =
        Json.read(
            "{'n':7,'whole':2.0,'half':1.5,'text':'8','none':null,'long':5000000000,'on':true}"
                .replace('\'', '"')
                .getBytes(StandardCharsets.UTF_8));
    assertThat(Json.whole(body, "n", 0)).isEqualTo(7);
    assertThat(Json.whole(body, "whole", 0)).isEqualTo(2);
    assertThat(Json.whole(body, "absent", -1)).isEqualTo(-1);
    assertThat(Json.whole(body, "long", 0)).isEqualTo(5_000_000_000L);
    for (String wrong : List.of("half", "text", "none", "on")) {
      assertThatThrownBy(() -> Json.whole(body, wrong, 0)).hasMessageContaining("whole number");
    }
    assertThatThrownBy(() -> Json.small(body, "long", 0)).hasMessageContaining("too large");
    assertThat(Json.flag(body, "on")).isTrue();
    assertThat(Json.flag(body, "absent")).isFalse();
    for (String wrong : List.of("n", "text", "none")) {
      assertThatThrownBy(() -> Json.flag(body, wrong)).hasMessageContaining("true or false");
    }
  }

  /** Two bytes for a letter that has one, halves of pairs, letters beyond the last. */
  @Test
  void whatIsNoUtf8IsRefused() throws IOException {
    for (byte[] wrong :
        List.of(
            new byte[] {(byte) 0xC0, (byte) 0x80},
            new byte[] {(byte) 0xC0, (byte) 0xAF},
            new byte[] {(byte) 0xED, (byte) 0xA0, (byte) 0x80},
            new byte[] {(byte) 0xF5, (byte) 0x80, (byte) 0x80, (byte) 0x80},
            new byte[] {(byte) 0xE2, (byte) 0x82})) {
      for (int before : List.of(0, 8190, 100_000)) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.writeBytes(("{\"v\":\"" + "\u20ac".repeat(before)).getBytes(StandardCharsets.UTF_8));
        body.writeBytes(wrong);
        body.writeBytes("\"}".getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> Json.read(body.toByteArray()))
            .isInstanceOf(HttpRefusal.class)
            .hasMessageContaining("is no UTF-8 from byte " + (6 + 3 * before));
      }
    }
    String all = "\u0000\u00fc\u20ac\ud83d\ude00".repeat(5000);
    ObjectNode body = Json.object().put("v", all);
    assertThat(Json.read(body.toString().getBytes(StandardCharsets.UTF_8))).isEqualTo(body);
  }
}
