package io.braid.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.braid.cli.command.ExitCode;
import java.io.BufferedReader;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code braid serve} and {@code braid store push}, with a node that listens. */
class ServeCommandTest {
  @TempDir Path dir;

  private CommandRun run(String line) {
    return CommandRun.of(line.replace("DIR", dir.toString()));
  }

  @Test
  void aVersionIsBuiltPushedAndServed() throws Exception {
    Files.writeString(dir.resolve("people.csv"), "id,name\n1,Ada\n2,Grace\n");
    Files.writeString(dir.resolve("token"), "secret\n");
    PipedReader reader = new PipedReader();
    PrintWriter out = new PrintWriter(new PipedWriter(reader), true);
    String line =
        "serve --http 0 --redis 0 --grpc 0 --json --token-file DIR/token --node DIR/node"
            .replace("DIR", dir.toString());
    Thread node =
        new Thread(
            () ->
                Main.commandLine()
                    .setOut(out)
                    .setErr(new PrintWriter(System.err, true))
                    .execute(line.split(" ")));
    node.start();
    try (BufferedReader lines = new BufferedReader(reader)) {
      JsonNode serving = new ObjectMapper().readTree(lines.readLine());
      String url = serving.path("http").asText();
      run("store build people --input DIR/people.csv --key id --value name --out DIR/one");
      String push = "store push people --from DIR/one --to " + url;
      CommandRun stranger = run(push);
      assertThat(stranger.code()).isEqualTo(ExitCode.FAILED);
      assertThat(stranger.err()).contains("need the token", "Nothing was swapped");
      CommandRun pushed = run(push + " --token-file DIR/token --json");
      assertThat(pushed.out()).as(pushed.err()).contains("\"version\":1");
      HttpResponse<String> answer =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(URI.create(url + "/stores/people/keys/2")).build(),
                  HttpResponse.BodyHandlers.ofString());
      assertThat(answer.body()).isEqualTo("Grace");
      String member = " --token-file DIR/token --cluster " + url;
      assertThat(run("cluster init --partitions 4 --token-file DIR/token --nodes " + url).code())
          .isEqualTo(ExitCode.DONE);
      assertThat(run("store create carts" + member).code()).isEqualTo(ExitCode.DONE);
      CommandRun put = run("store put carts bob apples" + member);
      assertThat(put.out()).as(put.err()).contains("with clock 0:");
      String clock = put.out().replaceAll("(?s).*with clock (.*)\\.\\s*", "$1");
      run("store put carts bob pears" + member);
      assertThat(run("store put carts bob figs --clock " + clock + member).err())
          .contains("written by another client");
      assertThat(run("store put carts bob figs --clock 0:0" + member).err())
          .contains("no clock of a tuple");
      assertThat(run("store get carts bob --nodes " + url).out()).startsWith("pears");
      String imports = "store import carts --id monday" + member;
      CommandRun imported =
          run(imports + " --input DIR/people.csv --key id --value name --duplicates last");
      assertThat(imported.out()).as(imported.err()).contains("Imported 2 tuples into carts");
      assertThat(run("store get carts bob 2 --nodes " + url).out().lines())
          .containsExactly("pears", "Grace");
      assertThat(run(imports + " --input DIR/people.csv --key id").err())
          .contains("was begun with other tuples");
      assertThat(run(imports + " --abort").out()).contains("is not running");
      CommandRun none = run(imports + " --input DIR/none.csv");
      assertThat(none.code()).isEqualTo(ExitCode.USAGE);
      assertThat(none.err()).contains("There is no file");
      assertThat(run("store drop carts" + member).code()).isEqualTo(ExitCode.DONE);
      assertThat(run("cluster show --cluster " + url).out()).contains("owns [0, 1, 2, 3]");
      CommandRun second = run("store swap people --node DIR/node");
      assertThat(second.code()).isEqualTo(ExitCode.UNAVAILABLE);
      assertThat(second.err()).contains("is owned by pid");
      assertThat(run("store get people 1 --node DIR/node").out()).startsWith("Ada");
    } finally {
      node.interrupt();
      node.join(10_000);
    }
    assertThat(node.isAlive()).isFalse();
    saysWhenItIsNotWhereItsClusterLooksForIt();
  }

  /** The node was told another port when it joined. */
  private void saysWhenItIsNotWhereItsClusterLooksForIt() throws Exception {
    StringWriter err = new StringWriter();
    String line = "serve --http 0 --redis 0 --node " + dir.resolve("node");
    Thread node =
        new Thread(
            () ->
                Main.commandLine()
                    .setOut(new PrintWriter(new StringWriter()))
                    .setErr(new PrintWriter(err, true))
                    .execute(line.split(" ")));
    node.start();
    for (int i = 0; i < 600 && !err.toString().contains("--http"); i++) {
      Thread.sleep(50);
    }
    node.interrupt();
    node.join(10_000);
    assertThat(err.toString()).contains("The cluster of this node knows it as http://127.0.0.1:");
  }
}
