package io.braid.cli.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.cli.CommandRun;
import io.braid.gateway.node.NodeConfig;
import io.braid.gateway.node.ServerNode;
import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HealthCheckTest {
  @TempDir Path dir;

  @Test
  void aServerIsReadyWithAndWithoutTlsUntilItEnds() throws Exception {
    Path security = dir.resolve("security");
    assertThat(CommandRun.of("server init-security " + security).code()).isZero();
    for (Optional<Path> config :
        List.of(Optional.<Path>empty(), Optional.of(security.resolve("braid.conf")))) {
      String address;
      try (ServerNode node = new ServerNode(config(config))) {
        address = URI.create(node.url()).getAuthority();
        assertThat(HealthCheck.isReady(address)).as(node.url()).isTrue();
      }
      assertThat(HealthCheck.isReady(address)).as("ended").isFalse();
    }
  }

  private NodeConfig config(Optional<Path> file) {
    Map<String, String> set = new LinkedHashMap<>();
    set.put("server.data", dir.resolve("data").toString());
    set.put("server.listen", "127.0.0.1:0");
    set.put("server.grpc", "off");
    return NodeConfig.load(file, set);
  }
}
