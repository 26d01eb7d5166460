package io.braid.serving.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
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
    RespReader right = reader(command(most, bytes));
    assertThat(right.next()).hasSize(most);
    RespReader wrong = reader(command(most + 1, bytes));
    assertThatThrownBy(wrong::next)
        .isInstanceOf(RespException.class)
        .hasMessageContaining("the command is too long");
  }

  /** Fault 54: no word is longer than a key with the name of its store. */
  @Test
  void aWordThatIsTooLongIsRefusedBeforeItIsRead() {
    assertThatThrownBy(() -> read("*1\r\n$65793\r\n"))
        .isInstanceOf(RespException.class)
        .hasMessageContaining("over the limit");
  }

  /** Fault 58: another type of the protocol does not pass for a word. */
  @Test
  void whatIsNoBulkStringIsNoWord() throws IOException {
    assertThat(read("*1\r\n$4\r\nPING\r\n")).hasSize(1);
    assertThatThrownBy(() -> read("*1\r\n:4\r\nPING\r\n"))
        .isInstanceOf(RespException.class)
        .hasMessageContaining("expected '$'");
  }

  private static @Nullable List<byte[]> read(String command) throws IOException {
    byte[] bytes = command.getBytes(StandardCharsets.US_ASCII);
    return reader(bytes).next();
  }

  private static RespReader reader(byte[] bytes) {
    RedisConnections all = new RedisConnections(1);
    InetAddress from = InetAddress.getLoopbackAddress();
    all.enter(from);
    return new RespReader(
        new ByteArrayInputStream(bytes),
        new RespReader.Carrier() {
          @Override
          public void next() {}

          @Override
          public void waits(boolean inCommand) {}

          @Override
          public boolean take(int more) {
            return all.take(from, more);
          }

          @Override
          public void giveBack(long fewer) {
            all.giveBack(from, fewer);
          }
        });
  }
}
