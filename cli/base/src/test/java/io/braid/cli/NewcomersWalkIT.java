package io.braid.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.braid.cli.command.ExitCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The walk of somebody new: starts a server in an empty folder; uses every strand from Python, from
 * the shell and by what the page asks for; ends the server, starts it again, and finds everything.
 */
class NewcomersWalkIT {
  private static final Path PYTHON = Path.of("../../clients/python").toAbsolutePath().normalize();

  /** Types a line when there is a prompt, and ^D at the end. */
  private static final String TYPED =
      """
      import os, pty, sys
      lines = ["begin", "set accounts pat balance:usd 5", "commit", "scan accounts", "\\x04"]
      child, screen = pty.fork()
      if child == 0:
          os.execvp(sys.argv[1], sys.argv[1:])
      seen = fresh = b""
      while True:
          try:
              more = os.read(screen, 4096)
          except OSError:
              break
          if not more:
              break
          seen, fresh = seen + more, fresh + more
          if lines and b"> " in fresh.split(b"\\n")[-1]:
              line, fresh = lines.pop(0), b""
              os.write(screen, (line if line == "\\x04" else line + "\\r").encode())
      sys.stdout.buffer.write(seen)
      sys.stdout.flush()
      sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
      """;

  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir Path dir;

  /** A server in a process of its own. */
  private final class Server implements AutoCloseable {
    private final Process process;
    private final String url;

    Server() throws IOException {
      List<String> command = java("server", "--json", "--data", dir.resolve("data").toString());
      for (String setting :
          List.of(
              "server.listen=127.0.0.1:0",
              "server.grpc=off",
              "server.apps=" + WalkApp.class.getName(),
              "server.inputs=" + dir.resolve("inputs"),
              "server.jobs=" + dir.resolve("jobs"),
              "server.stores=" + dir.resolve("stores"),
              "store.memory=16 MiB")) {
        command.add("--set");
        command.add(setting);
      }
      process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      BufferedReader out = process.inputReader();
      url = JSON.readTree(out.readLine()).path("http").asText();
    }

    HttpResponse<String> ask(String method, String path, String body)
        throws IOException, InterruptedException {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(url + path))
              .method(method, BodyPublishers.ofString(body))
              .header("Content-Type", "application/json")
              .header("Origin", url)
              .build();
      return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    }

    JsonNode get(String path) throws IOException, InterruptedException {
      HttpResponse<String> answer = ask("GET", path, "");
      assertThat(answer.statusCode()).as(path + ": " + answer.body()).isEqualTo(200);
      return JSON.readTree(answer.body());
    }

    void end() throws InterruptedException {
      process.destroy();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isZero();
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }

  private static List<String> java(String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
    command.addAll(List.of(arguments));
    return command;
  }

  private CommandRun braid(String line) {
    CommandRun run = CommandRun.of(line.replace("DIR", dir.toString()));
    assertThat(run.code()).as(line + ": " + run.err()).isEqualTo(ExitCode.DONE);
    return run;
  }

  private String python(Server server, String argument) throws Exception {
    ProcessBuilder walk =
        new ProcessBuilder("python3", "-B", "examples/strands.py", argument)
            .directory(PYTHON.toFile())
            .redirectErrorStream(true);
    walk.environment().put("BRAID_URL", server.url);
    walk.environment().put("PYTHONPATH", PYTHON.toString());
    Process process = walk.start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(printed).isZero();
    return printed;
  }

  private static boolean isPythonHere() throws InterruptedException {
    try {
      return new ProcessBuilder("python3", "-c", "import sys; sys.exit(sys.version_info < (3, 9))")
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void everyStrandIsUsedAndEverythingIsThereAfterARestart() throws Exception {
    assumeTrue(isPythonHere(), "There is no python3 (3.9 or newer) here: the walk is not taken.");
    Path inputs = Files.createDirectories(dir.resolve("inputs"));
    Files.writeString(inputs.resolve("people.csv"), "id,name\n1,Ada\n2,Grace\n");
    Files.writeString(dir.resolve("wrong.csv"), "id,name\n1,Nobody\n2,Grace\n");
    braid("store build people --input DIR/inputs/people.csv --key id --out DIR/built/1");
    braid("store build people --input DIR/wrong.csv --key id --out DIR/built/2");
    try (Server server = new Server()) {
      assertThat(python(server, dir.resolve("built").toString()))
          .contains("group: others are refused", "rolled back to: 1", "everything is there");
      page(server);
      server.end();
    }
    shell();
    prompt();
    try (Server server = new Server()) {
      assertThat(python(server, "--again")).contains("everything is there");
      assertThat(server.get("/v1/tables/accounts/rows/zoe").at("/columns/balance:usd").asText())
          .isEqualTo("1");
      assertThat(server.get("/v1/tables/accounts/rows/pat").at("/columns/balance:usd").asText())
          .isEqualTo("5");
      assertThat(server.get("/v1/observers").at("/observers/0/paused").asBoolean()).isTrue();
      server.end();
    }
  }

  /** What the page shows and does: it asks for the same. */
  private static void page(Server server) throws Exception {
    assertThat(server.ask("GET", "/", "").body()).contains("console.js");
    assertThat(server.get("/v1/status").at("/observers/runs").asLong()).isPositive();
    assertThat(server.get("/v1/jobs").at("/jobs/0/state").asText()).isEqualTo("done");
    assertThat(server.get("/v1/groups").at("/groups/0/group").asText()).isEqualTo("table-1");
    assertThat(server.get("/v1/tables/accounts/rows/ann/explanation").path("facts").toString())
        .contains("table-1");
    assertThat(server.ask("POST", "/stores/people/swap", "{\"version\":2}").body())
        .contains("was rolled back");
    assertThat(server.ask("POST", "/stores/people/swap", "{\"version\":2,\"force\":true}").body())
        .contains("\"live\":2");
    assertThat(server.ask("POST", "/stores/people/rollback", "{}").body()).contains("\"live\":1");
    assertThat(server.ask("POST", "/v1/observers/shop.see/pause", "").statusCode()).isEqualTo(200);
  }

  /** At the prompt, on the same data while no server has it. */
  private void shell() throws IOException {
    Path script = dir.resolve("script");
    Files.writeString(
        script,
        """
        begin
        set accounts zoe balance:usd 1
        set accounts max balance:usd 1
        commit
        begin
        delete accounts max balance:usd
        rollback
        get accounts bob
        explain accounts ann
        scan people
        """);
    assertThat(braid("shell --data DIR/data --file " + script).out())
        .contains("balance:usd = 7", "table-1", "info:name = Grace");
    assertThat(braid("get accounts max --data DIR/data").out()).contains("balance:usd = 1");
    assertThat(braid("backup DIR/backup --data DIR/data").out()).contains("accounts: 5 rows");
  }

  /** The same by a person's hands, on a pseudo terminal: line by line, with tab and ^D. */
  private void prompt() throws Exception {
    Path typed = dir.resolve("typed.py");
    Files.writeString(typed, TYPED);
    List<String> command = new ArrayList<>(List.of("python3", "-B", typed.toString()));
    command.addAll(java("shell", "--data", dir.resolve("data").toString()));
    ProcessBuilder person = new ProcessBuilder(command).redirectErrorStream(true);
    person.environment().put("TERM", "dumb");
    person.environment().put("HOME", dir.toString());
    Process process = person.start();
    String seen = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(seen).isZero();
    assertThat(seen).contains("│ pat │ 5").containsIgnoringCase("committed at");
  }
}
