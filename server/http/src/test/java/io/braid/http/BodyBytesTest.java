package io.braid.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Fault 62: a body costs little more than its bytes, whatever its pieces are. */
class BodyBytesTest {
  @Test
  void bytesComeInTheirOrder() throws IOException {
    Random random = new Random(1);
    BodyBytes body = new BodyBytes();
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < 200; i++) {
      byte[] piece = new byte[random.nextInt(i % 10 == 0 ? 100_000 : 6_000)];
      random.nextBytes(piece);
      body.add(piece);
      all.writeBytes(piece);
    }
    assertThat(body.read().readAllBytes()).isEqualTo(all.toByteArray());
    assertThat(body.read().readAllBytes()).isEmpty();
  }

  @Test
  void smallPiecesAreJoined() throws IOException {
    BodyBytes body = new BodyBytes();
    for (int i = 0; i < 1_000_000; i++) {
      body.add(new byte[] {(byte) i});
    }
    assertThat(body.pieces()).isLessThan(40);
    assertThat(body.read().readAllBytes()).hasSize(1_000_000);
  }
}
