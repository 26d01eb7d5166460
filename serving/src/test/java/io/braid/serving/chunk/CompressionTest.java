package io.braid.serving.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.data.Encoder;
import org.junit.jupiter.api.Test;

class CompressionTest {
  @Test
  void valuesComeBackAndAreNeverMuchLonger() {
    for (Compression compression : Compression.values()) {
      for (Bytes value :
          new Bytes[] {
            Bytes.of(""), Bytes.of("x"), Bytes.of("ab".repeat(5000)), Bytes.ofInts(0, 255, 7, 9)
          }) {
        Bytes packed = compression.pack(value);
        assertThat(compression.unpack(packed)).isEqualTo(value);
        assertThat(packed.length()).isLessThanOrEqualTo(value.length() + 1);
      }
      assertThat(Compression.named(compression.text())).isEqualTo(compression);
    }
    assertThat(Compression.LZ4.pack(Bytes.of("ab".repeat(5000))).length()).isLessThan(200);
    assertThatThrownBy(() -> Compression.named("rar")).hasMessageContaining("zstd");
  }

  /** Fault 54: what it unpacks to is bounded by who asks, before it is unpacked. */
  @Test
  void whatWouldBeLongerThanAskedForIsNotUnpacked() {
    Bytes plain = Bytes.of("ab".repeat(500));
    for (Compression compression : new Compression[] {Compression.ZSTD, Compression.LZ4}) {
      Bytes packed = compression.pack(plain);
      assertThat(compression.unpack(packed, 1000)).isEqualTo(plain);
      assertThatThrownBy(() -> compression.unpack(packed, 999))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  /** Fault 54: a length that cannot be takes no memory. */
  @Test
  void whatIsNotPackedIsRefused() {
    for (Compression compression : new Compression[] {Compression.ZSTD, Compression.LZ4}) {
      Bytes absurd = new Encoder().varint(1L << 40).raw(Bytes.of("x")).finish();
      assertThatThrownBy(() -> compression.unpack(absurd))
          .isInstanceOf(IllegalArgumentException.class);
      Bytes wrong = new Encoder().varint(100).raw(Bytes.of("not packed at all")).finish();
      assertThatThrownBy(() -> compression.unpack(wrong))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
