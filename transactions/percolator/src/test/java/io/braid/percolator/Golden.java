package io.braid.percolator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Transcripts that are compared with a file beside the test. With {@code -Dgolden.rewrite=true} the
 * file is written anew instead; look at the difference before you commit it.
 */
final class Golden {
  private static final Path FOLDER = Path.of("src/test/resources/io/braid/percolator");

  private Golden() {}

  static void check(String name, String transcript) throws IOException {
    Path file = FOLDER.resolve(name);
    if (Boolean.getBoolean("golden.rewrite")) {
      Files.writeString(file, transcript);
    }
    assertThat(transcript).isEqualTo(Files.readString(file));
  }
}
