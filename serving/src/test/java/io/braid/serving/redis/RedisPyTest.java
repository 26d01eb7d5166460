package io.braid.serving.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.braid.serving.net.RunningNode;
import io.braid.serving.node.NodeFixture;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** redis-py, where Python has it: another client that knows nothing of Braid. */
class RedisPyTest {
  private static final String SCRIPT =
      """
      import sys, redis
      for protocol in (2, 3):
          r = redis.Redis(port=int(sys.argv[1]), db=1, protocol=protocol, client_name="me",
                          decode_responses=True)
          assert r.ping() and r.client_getname() == "me"
          assert r.get("key 3") == "value 1" and r.mget("key 3", "no") == ["value 1", None]
          pipe = r.pipeline()
          pipe.get("key 3").get("no").exists("key 3")
          assert pipe.execute() == ["value 1", None, 1]
          assert r.transaction(lambda p: (p.get("key 3"), p.multi(), p.get("key 3")),
                               "key 3") == ["value 1"]
          pipe = r.pipeline(transaction=False)
          assert pipe.get("key 3").execute() == ["value 1"]
          for refused in (lambda: r.set("key 3", "x"), lambda: r.pipeline().set("a", "b").execute(),
                          lambda: r.cluster("info"), lambda: r.execute_command("FROB")):
              try:
                  refused()
                  raise AssertionError("not refused")
              except redis.ResponseError:
                  pass
          assert r.get("key 3") == "value 1"
      for wrong in (dict(db=99), dict(username="bob", password="x")):
          try:
              redis.Redis(port=int(sys.argv[1]), **wrong).ping()
              raise AssertionError("not refused")
          except (redis.ResponseError, redis.AuthenticationError):
              pass
      print("well")
      """;

  @TempDir Path root;

  private static String python(String... words) throws Exception {
    String[] command = new String[words.length + 2];
    command[0] = "python3";
    command[1] = "-c";
    System.arraycopy(words, 0, command, 2, words.length);
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      byte[] said = process.getInputStream().readAllBytes();
      process.waitFor();
      return new String(said, StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      return "no Python";
    }
  }

  @Test
  @Timeout(120)
  void itReadsAndIsRefusedWhatIsNotOffered() throws Exception {
    assumeTrue(python("import redis; print('there')").equals("there"), "redis-py is not there");
    try (RunningNode node = RunningNode.start(root.resolve("node"), "");
        RedisServer redis = node.redis(20, Duration.ofMinutes(1))) {
      Path built = NodeFixture.build(root, 1, 10);
      node.service().startFetch("people", built.toString(), 1);
      while (!node.service().fetch("people").ended()) {
        Thread.onSpinWait();
      }
      node.service().swap("people", 1, false);
      assertThat(python(SCRIPT, String.valueOf(redis.address().getPort()))).isEqualTo("well");
    }
  }
}
