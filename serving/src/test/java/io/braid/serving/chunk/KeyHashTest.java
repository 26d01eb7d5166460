package io.braid.serving.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class KeyHashTest {
  @Test
  void xxh64IsTheOneThatOthersCompute() {
    assertThat(xxh("")).isEqualTo(0xEF46DB3751D8E999L);
    assertThat(xxh("a")).isEqualTo(0xD24EC4F1A98C6E5BL);
    assertThat(xxh("abc")).isEqualTo(0x44BC2CF5AD770999L);
    assertThat(xxh("Call me Ishmael. Some years ago--never mind how long precisely-"))
        .isEqualTo(0x02A2E85470D6FD96L);
  }

  @Test
  void md5GivesItsUpperEightBytes() {
    assertThat(KeyHash.MD5.of(bytes("abc"))).isEqualTo(0x900150983CD24FB0L);
  }

  @Test
  void onlyTheNamedPartOfTheArrayCounts() {
    for (KeyHash hash : KeyHash.values()) {
      assertThat(hash.of(bytes("xxabcyy"), 2, 3)).isEqualTo(hash.of(bytes("abc")));
    }
  }

  private static long xxh(String text) {
    return KeyHash.XXH64.of(bytes(text));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
