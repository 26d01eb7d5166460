package io.braid.serving.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.serving.node.NodeFixture;
import io.braid.serving.redis.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.Transaction;
import redis.clients.jedis.exceptions.JedisDataException;

/** A client of Redis that knows nothing of Braid, as it comes. */
@SuppressWarnings("NullAway.Init")
class JedisTest {
  private static final String KEY = "people:key 3";
  private static final String VALUE = "value 1";

  @TempDir Path root;

  private RunningNode node;
  private RedisServer server;

  private void start(String token) throws Exception {
    node = RunningNode.start(root.resolve("node"), "");
    server = node.redis(20, Duration.ofMinutes(1), token);
    Path built = NodeFixture.build(root, 1, 10);
    HttpNode asked = new HttpNode(node.url(), "");
    asked.fetch("people", "", built.toString(), 1, false);
    while (!asked.progress("people").ended()) {
      Thread.sleep(1);
    }
    asked.swap("people", "", 1, false, -1, Optional.empty());
  }

  @AfterEach
  void close() throws Exception {
    server.close();
    node.close();
  }

  private HostAndPort address() {
    return new HostAndPort("127.0.0.1", server.address().getPort());
  }

  @Test
  void oneConnectionReadsAndIsRefusedWrites() throws Exception {
    start("");
    try (Jedis jedis = new Jedis(address())) {
      assertThat(jedis.ping()).isEqualTo("PONG");
      assertThat(jedis.get(KEY)).isEqualTo(VALUE);
      assertThat(jedis.get("people:nobody")).isNull();
      assertThat(jedis.mget(KEY, "people:nobody")).containsExactly(VALUE, null);
      assertThat(jedis.exists(KEY, "people:nobody")).isEqualTo(1);
      assertThat(jedis.info()).isNotEmpty();
      assertThatThrownBy(() -> jedis.set(KEY, "x"))
          .isInstanceOf(JedisDataException.class)
          .hasMessageContaining("READONLY");
      assertThat(jedis.get(KEY)).as("the connection goes on").isEqualTo(VALUE);
      Pipeline pipeline = jedis.pipelined();
      for (int i = 0; i < 100; i++) {
        pipeline.get(KEY);
      }
      assertThat(pipeline.syncAndReturnAll()).hasSize(100).containsOnly(VALUE);
    }
  }

  @Test
  void transactionsReadAndWhatIsNotOfferedIsRefused() throws Exception {
    start("");
    try (Jedis jedis = new Jedis(address())) {
      jedis.watch(KEY);
      Transaction transaction = jedis.multi();
      transaction.get(KEY);
      transaction.mget(KEY, "people:nobody");
      assertThat(transaction.exec()).containsExactly(VALUE, Arrays.asList(VALUE, null));
      Transaction refused = jedis.multi();
      refused.set(KEY, "x");
      assertThatThrownBy(refused::exec).hasMessageContaining("EXECABORT");
      assertThatThrownBy(() -> jedis.select(99)).hasMessageContaining("out of range");
      assertThatThrownBy(() -> jedis.auth("secret")).hasMessageContaining("without any password");
      assertThatThrownBy(() -> jedis.clusterInfo()).hasMessageContaining("support disabled");
      assertThat(jedis.clientSetname("me")).isEqualTo("OK");
      assertThat(jedis.clientGetname()).isEqualTo("me");
      assertThat(jedis.get(KEY)).isEqualTo(VALUE);
    }
  }

  @Test
  void aPoolOfConnectionsReads() throws Exception {
    start("");
    try (RedisClient client = RedisClient.create(address())) {
      assertThat(client.get(KEY)).isEqualTo(VALUE);
      assertThat(client.mget(KEY, KEY)).containsExactly(VALUE, VALUE);
    }
  }

  @Test
  void bothVersionsOfTheProtocolAndPasswordsAreUnderstood() throws Exception {
    start("secret");
    for (RedisProtocol protocol : RedisProtocol.values()) {
      DefaultJedisClientConfig config =
          DefaultJedisClientConfig.builder().protocol(protocol).password("secret").build();
      try (Jedis jedis = new Jedis(address(), config)) {
        assertThat(jedis.get(KEY)).as(protocol.name()).isEqualTo(VALUE);
        assertThat(jedis.mget(KEY, "people:nobody")).containsExactly(VALUE, null);
      }
    }
    try (Jedis stranger = new Jedis(address())) {
      assertThatThrownBy(() -> stranger.auth("wrong")).hasMessageContaining("WRONGPASS");
    }
  }
}
