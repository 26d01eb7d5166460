package io.braid.serving.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.testkit.runtime.Clocks;
import io.braid.testkit.runtime.ManualSeams;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Fault 62: what one address, and one connection, may take of others. */
class RedisConnectionTest {
  private static final Duration IDLE = Duration.ofMinutes(5);

  private static InetAddress address(int last) throws Exception {
    return InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) last});
  }

  @Test
  void oneAddressTakesItsShareOfConnectionsOnly() throws Exception {
    RedisConnections all = new RedisConnections(2);
    for (int from = 1; from <= RedisConnections.ADDRESSES; from++) {
      assertThat(all.enter(address(from))).isTrue();
      assertThat(all.enter(address(from))).isTrue();
      assertThat(all.enter(address(from))).as("a third of one address").isFalse();
    }
    assertThat(all.enter(address(99))).as("all are taken").isFalse();
    all.leave(address(1));
    assertThat(all.enter(address(99))).isTrue();
  }

  @Test
  void oneAddressTakesItsShareOfBytesOnly() throws Exception {
    RedisConnections all = new RedisConnections(2);
    all.enter(address(1));
    all.enter(address(2));
    assertThat(all.take(address(1), (int) RedisConnections.BYTES)).isTrue();
    assertThat(all.take(address(1), 1)).isFalse();
    assertThat(all.take(address(2), 1)).isTrue();
    all.giveBack(address(1), 1);
    assertThat(all.take(address(1), 1)).isTrue();
  }

  @Test
  void aCommandThatComesSlowlyIsCutAndASilentClientIsNot() throws Exception {
    Clocks clocks = new Clocks();
    try (Socket socket = new Socket()) {
      RespWriter out = new RespWriter(new ByteArrayOutputStream());
      RedisConnection connection =
          new RedisConnection(
              new ManualSeams(clocks, "node"), socket, out, new RedisConnections(1), IDLE);
      connection.know(true);
      connection.next();
      connection.waits(false);
      assertThat(socket.getSoTimeout()).isEqualTo(IDLE.toMillis());
      clocks.nanos += RedisConnection.COMMAND.multipliedBy(3).toNanos();
      connection.waits(true);
      assertThat(socket.getSoTimeout()).isEqualTo(RedisConnection.COMMAND.toMillis());
      clocks.nanos += RedisConnection.COMMAND.toNanos();
      assertThatThrownBy(() -> connection.waits(true)).isInstanceOf(SocketTimeoutException.class);
      connection.next();
      connection.waits(true);
      connection.know(false);
      assertThatThrownBy(() -> connection.waits(false))
          .as("the password is late")
          .isInstanceOf(SocketTimeoutException.class);
    }
  }
}
