package io.braid.serving.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class RespReaderTest {
  private static byte[] command(int words, int bytes) throws IOException {
    ByteArrayOutputStream command = new ByteArrayOutputStream();
    command.write(("*" + words + "\r\n").getBytes(StandardCharsets.US_ASCII));
    for (int i = 0; i < words; i++) {
      command.write(("$" + bytes + "\r\n").getBytes(StandardCharsets.US_ASCII));
      command.write(new byte[bytes]);
      command.write('\r');
      command.write('\n');
    }
    return command.toByteArray();
  }

  /** Fault 54: words that are each short enough are not all of a command that is too long. */
  @Test
  void aCommandOfManyLongWordsIsRefused() throws IOException {
    int bytes = 1 << 16;
    int most = RespReader.MOST_BYTES / bytes;
    RespReader right = new RespReader(new ByteArrayInputStream(command(most, bytes)));
    assertThat(right.next()).hasSize(most);
    RespReader wrong = new RespReader(new ByteArrayInputStream(command(most + 1, bytes)));
    assertThatThrownBy(wrong::next)
        .isInstanceOf(RespException.class)
        .hasMessageContaining("the command is too long");
  }
}
