package io.braid.cli.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.junit.jupiter.api.Test;

class QuitKeyTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  private static Terminal terminal(PipedOutputStream keys) throws IOException {
    return TerminalBuilder.builder()
        .system(false)
        .streams(new PipedInputStream(keys), new ByteArrayOutputStream())
        .build();
  }

  /** Without a line's end after it, and whatever was pressed before. */
  @Test
  void itIsHeardAsSoonAsItIsPressed() throws IOException {
    try (PipedOutputStream keys = new PipedOutputStream();
        QuitKey key = new QuitKey(terminal(keys))) {
      assertThat(key.pressed(Duration.ofMillis(1))).isFalse();
      keys.write("x".getBytes(StandardCharsets.US_ASCII));
      keys.flush();
      assertThat(key.pressed(Duration.ofMillis(20))).isFalse();
      keys.write("hq".getBytes(StandardCharsets.US_ASCII));
      keys.flush();
      assertThat(key.pressed(LONG)).isTrue();
    }
  }

  @Test
  void whereNobodyIsLeftItEndsToo() throws IOException {
    try (PipedOutputStream keys = new PipedOutputStream();
        QuitKey key = new QuitKey(terminal(keys))) {
      keys.close();
      assertThat(key.pressed(LONG)).isTrue();
    }
  }
}
