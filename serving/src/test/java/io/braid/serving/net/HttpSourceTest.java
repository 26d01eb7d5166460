package io.braid.serving.net;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.runtime.SystemSeams;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A fetch over HTTP does not hang with the one that it fetches from. */
class HttpSourceTest {
  @Test
  @Timeout(30)
  void whoTakesARequestAndSaysNothingIsGivenUp() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      URI folder = URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/");
      HttpSource source = new HttpSource(new SystemSeams(), folder, Duration.ofMillis(100));
      assertThatThrownBy(() -> source.open(".metadata", 0)).isInstanceOf(IOException.class);
    }
  }
}
