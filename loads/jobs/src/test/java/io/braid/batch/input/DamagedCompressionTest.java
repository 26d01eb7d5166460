package io.braid.batch.input;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Compressed files of several parts: whatever bit is wrong and wherever they are cut, they give all
 * they hold or an error, never the beginning alone. Fault 46.
 */
class DamagedCompressionTest {
  private static final String TEXT = "one,1\ntwo,2\nthree,3\n";
  private static final int PARTS = 3;

  private final ByteArrayOutputStream file = new ByteArrayOutputStream();
  private final List<Integer> ends = new ArrayList<>();

  private void write(Compression compression) throws IOException {
    for (int i = 0; i < PARTS; i++) {
      ByteArrayOutputStream part = new ByteArrayOutputStream();
      try (OutputStream out = compression.open(part)) {
        out.write(TEXT.getBytes(StandardCharsets.UTF_8));
      }
      part.writeTo(file);
      ends.add(file.size());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"GZIP", "ZSTD"})
  void allPartsAreRead(Compression compression) throws IOException {
    write(compression);
    assertThat(read(compression, file.toByteArray())).isEqualTo(TEXT.repeat(PARTS));
  }

  @ParameterizedTest
  @EnumSource(names = {"GZIP", "ZSTD"})
  void aCutIsAnErrorUnlessItIsBetweenParts(Compression compression) throws IOException {
    write(compression);
    for (int length = 1; length < file.size(); length++) {
      String text = read(compression, Arrays.copyOf(file.toByteArray(), length));
      int parts = ends.indexOf(length) + 1;
      assertThat(text).as("cut at %s", length).isEqualTo(parts == 0 ? null : TEXT.repeat(parts));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"GZIP", "ZSTD"})
  void aFlippedBitNeverHidesWhatFollows(Compression compression) throws IOException {
    write(compression);
    int refused = 0;
    for (int bit = 0; bit < file.size() * 8; bit++) {
      byte[] bytes = file.toByteArray();
      bytes[bit / 8] ^= (byte) (1 << bit % 8);
      String text = read(compression, bytes);
      refused += text == null ? 1 : 0;
      if (text != null) {
        assertThat(text).as("bit %s", bit).isEqualTo(TEXT.repeat(PARTS));
      }
    }
    assertThat(refused).isGreaterThan(file.size() * 4);
  }

  /** What comes out; null when it is refused. */
  private static @Nullable String read(Compression compression, byte[] bytes) {
    try (InputStream in = compression.open(new ByteArrayInputStream(bytes))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return null;
    }
  }
}
