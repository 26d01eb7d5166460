package io.braid.lab.model;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.client.BraidClient;
import io.braid.core.runtime.SystemSeams;
import io.braid.gateway.node.NodeConfig;
import io.braid.gateway.node.ServerNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One life of the database: in this process alone, or as a server that a client has called. */
final class Opened implements AutoCloseable {
  /** A clock that is wrong. */
  private static final class Shifted extends SystemSeams {
    private final long millis;

    Shifted(Duration by) {
      this.millis = by.toMillis();
    }

    @Override
    public long wallMillis() {
      return super.wallMillis() + millis;
    }
  }

  final Braid db;
  final Optional<BraidClient> client;
  private final @Nullable ServerNode node;

  private Opened(Braid db, Optional<BraidClient> client, @Nullable ServerNode node) {
    this.db = db;
    this.client = client;
    this.node = node;
  }

  /** In this process, whose clock is wrong by so much. */
  static Opened alone(Path data, Duration wrongBy) {
    Braid db =
        Braid.builder().config(BraidConfig.defaults()).seams(new Shifted(wrongBy)).open(data);
    return new Opened(db, Optional.empty(), null);
  }

  /** Opens the database as a server. */
  static Opened served(Path data) {
    Map<String, String> set =
        Map.of(
            "server.listen", "127.0.0.1:0",
            "server.data", data.toString(),
            "server.stores", data.resolveSibling("stores").toString());
    try {
      ServerNode node = new ServerNode(NodeConfig.load(Optional.empty(), set));
      BraidClient client = BraidClient.connect("127.0.0.1:" + node.grpc().orElseThrow().getPort());
      return new Opened(node.db(), Optional.of(client), node);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    client.ifPresent(BraidClient::close);
    if (node == null) {
      db.close();
    } else {
      node.close();
    }
  }
}
