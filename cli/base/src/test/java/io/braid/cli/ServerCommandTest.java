package io.braid.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.braid.cli.command.ExitCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code braid server}: a process of its own, and what it says of its configuration. */
class ServerCommandTest {
  @TempDir Path dir;

  private CommandRun run(String line) {
    return CommandRun.of(line.replace("DIR", dir.toString()));
  }

  @Test
  void itServesUntilItIsToldToEndAndKeepsWhatWasWritten() throws Exception {
    Process server =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "server",
                "--json",
                "--data",
                dir.resolve("data").toString(),
                "--set",
                "server.listen=127.0.0.1:0",
                "--set",
                "server.stores=" + dir.resolve("stores"))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader out = server.inputReader()) {
      JsonNode serving = new ObjectMapper().readTree(out.readLine());
      String url = serving.path("http").asText();
      assertThat(serving.path("grpc").asText()).matches("127\\.0\\.0\\.1:[1-9][0-9]*");
      assertThat(ask("PUT", url + "/v1/tables/t", "{\"families\":[\"f\"]}").statusCode())
          .isEqualTo(200);
      String script =
          "{\"operations\":[{\"op\":\"set\",\"table\":\"t\",\"row\":\"r\",\"columns\":{\"f:q\":\"v\"}}]}";
      assertThat(ask("POST", url + "/v1/transactions/run", script).statusCode()).isEqualTo(200);
      assertThat(run("top --url " + url + " --every 10ms --count 2").out())
          .contains("commits/s")
          .hasLineCount(3);
      assertThat(firstFiguresShowRates(url, script)).isTrue();
      CommandRun second = run("get t r --data DIR/data");
      assertThat(second.code()).isEqualTo(ExitCode.UNAVAILABLE);
      server.destroy();
      assertThat(server.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(server.exitValue()).isZero();
    } finally {
      server.destroyForcibly();
    }
    assertThat(run("get t r --data DIR/data").out()).contains("f:q = v");
    assertThat(run("top --url http://127.0.0.1:1").code()).isEqualTo(ExitCode.UNAVAILABLE);
  }

  /** Whether a run of top that prints one line says more than 0.0 while clients commit. */
  private boolean firstFiguresShowRates(String url, String script) throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    Thread client =
        new Thread(
            () -> {
              try {
                while (!over.get()) {
                  ask("POST", url + "/v1/transactions/run", script);
                }
              } catch (IOException | InterruptedException e) {
                over.set(true);
              }
            });
    client.start();
    boolean seen = false;
    try {
      for (int i = 0; i < 50 && !seen; i++) {
        JsonNode line =
            new ObjectMapper()
                .readTree(run("top --url " + url + " --every 100ms --count 1 --json").out());
        seen = line.path("commits_per_second").asDouble() > 0;
      }
    } finally {
      over.set(true);
      client.join();
    }
    return seen;
  }

  private static HttpResponse<String> ask(String method, String url, String body)
      throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(url))
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build(),
            HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void itSaysWhereEachSettingComesFrom() throws IOException {
    Files.write(dir.resolve("conf"), List.of("server.drain = 5 s", "store.memory = 64 MiB"));
    CommandRun run = run("server --config DIR/conf --set server.page=7 --print-config");
    assertThat(run.out())
        .containsPattern("server.drain = 5 s +# .*conf, line 1")
        .containsPattern("server.page = 7 +# command line")
        .containsPattern("store.memory = 64 MiB +# .*conf, line 2")
        .containsPattern("gc.keep = 1 d +# default");
    assertThat(run.err()).isEmpty();
    String file = " --set server.identities=DIR/identities --print-config";
    assertThat(run("server" + file).err()).contains("server.identities", "is not there");
    Files.write(dir.resolve("identities"), List.of());
    assertThat(run("server" + file).err()).isEmpty();
    Files.write(dir.resolve("conf"), List.of("", "server.page = many"));
    CommandRun wrong = run("server --config DIR/conf --print-config");
    assertThat(wrong.code()).isEqualTo(ExitCode.USAGE);
    assertThat(wrong.err()).contains("conf, line 2", "whole number");
    assertThat(run("server --set server.listen=0.0.0.0:0").err()).contains("server.identities");
  }

  @Test
  void theFilesForDeploymentAreRight() {
    CommandRun run = run("server --config ../../deploy/braid.conf --print-config");
    assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.DONE);
    assertThat(run("token loader --grant write:accounts --grant read:web.*").out())
        .containsPattern("loader sha256:[0-9a-f]{64} write:accounts,read:web\\.\\*");
    assertThat(run("token loader --grant own:accounts").code()).isEqualTo(ExitCode.USAGE);
  }
}
