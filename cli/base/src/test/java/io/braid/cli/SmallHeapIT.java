package io.braid.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.braid.cli.command.ExitCode;
import io.braid.rpc.v1.Operation;
import io.braid.rpc.v1.RunRequest;
import io.braid.rpc.v1.TransactionsGrpc;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Fault 67: a server with a small heap, and many who ask for a lot at the same time, over HTTP and
 * as Redis clients, or write a lot. Each has its answer, some after they were told to come again;
 * the memory is never used up.
 */
@Timeout(120)
class SmallHeapIT {
  private static final int MIB = 1 << 20;
  private static final int VALUES = 24;
  private static final int CLIENTS = 6;
  private static final int STEPS = 10;
  private static final int TABLES = 45;

  @TempDir Path dir;
  private final HttpClient http = HttpClient.newHttpClient();

  @Test
  void manyLongAnswersUseUpNoMemory() throws Exception {
    Path input = dir.resolve("values.csv");
    Files.write(
        input,
        IntStream.rangeClosed(0, VALUES)
            .mapToObj(i -> i == 0 ? "id,value" : "k" + i + "," + text(i))
            .toList());
    run("store build s --input DIR/values.csv --key id --value value --out DIR/built");
    run("store fetch s DIR/built/node-0 --node DIR/stores");
    run("store swap s --node DIR/stores");
    int redis = freePort();
    Process server = server(redis);
    try (BufferedReader out = server.inputReader()) {
      JsonNode serving = new ObjectMapper().readTree(out.readLine());
      String url = serving.path("http").asText();
      fill(url);
      for (int row = 0; row < 4; row++) {
        assertThat(ask("GET", url + "/v1/tables/t/rows/r" + row, "")).isEqualTo(200);
      }
      ExecutorService threads = Executors.newCachedThreadPool();
      List<Future<Integer>> rows = new ArrayList<>();
      List<Future<Character>> stores = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        int row = i % 4;
        rows.add(threads.submit(() -> readRow(url + "/v1/tables/t/rows/r" + row)));
        stores.add(threads.submit(() -> readStore(redis)));
      }
      for (Future<Integer> each : rows) {
        assertThat(each.get()).isEqualTo(200);
      }
      for (Future<Character> each : stores) {
        assertThat(each.get()).isEqualTo('$');
      }
      threads.shutdown();
      assertThat(ask("GET", url + "/v1/tables/t/rows/r0", "")).isEqualTo(200);
      server.destroy();
      assertThat(server.waitFor()).isZero();
    } finally {
      server.destroyForcibly();
    }
    assertThat(Files.readString(dir.resolve("log"))).doesNotContain("OutOfMemoryError");
  }

  /** Transactions that would not all fit in the memory of the server; each commits in the end. */
  @Test
  void manyLongTransactionsUseUpNoMemory() throws Exception {
    Process server = server(freePort());
    try (BufferedReader out = server.inputReader()) {
      String url = new ObjectMapper().readTree(out.readLine()).path("http").asText();
      assertThat(ask("PUT", url + "/v1/tables/t", "{\"families\":[\"f\"]}")).isEqualTo(200);
      ExecutorService threads = Executors.newCachedThreadPool();
      List<Future<Boolean>> transactions = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        String row = "long" + i;
        transactions.add(threads.submit(() -> commitLong(url, row)));
      }
      for (Future<Boolean> each : transactions) {
        assertThat(each.get()).isTrue();
      }
      threads.shutdown();
      for (int i = 0; i < CLIENTS; i++) {
        String cell = url + "/v1/tables/t/rows/long" + i + "?column=f:" + (STEPS - 1);
        assertThat(ask("GET", cell, "")).isEqualTo(200);
      }
      assertThat(ask("GET", url + "/readyz", "")).isEqualTo(200);
      server.destroy();
      assertThat(server.waitFor()).isZero();
    } finally {
      server.destroyForcibly();
    }
  }

  /** Each column is short, and there are more of them than the memory holds. */
  @Test
  void aRequestOfManyShortColumnsUsesUpNoMemory() throws Exception {
    Process server = server(freePort());
    try (BufferedReader out = server.inputReader()) {
      String url = new ObjectMapper().readTree(out.readLine()).path("http").asText();
      assertThat(ask("PUT", url + "/v1/tables/t", "{\"families\":[\"f\"]}")).isEqualTo(200);
      ExecutorService threads = Executors.newCachedThreadPool();
      List<Future<Integer>> requests = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        String body = shortColumns("row" + i, i % 2 == 0 ? 500_000 : 20_000);
        requests.add(threads.submit(() -> patiently(url + "/v1/transactions/run", body)));
      }
      for (int i = 0; i < CLIENTS; i++) {
        assertThat(requests.get(i).get()).isEqualTo(i % 2 == 0 ? 413 : 200);
      }
      threads.shutdown();
      assertThat(ask("GET", url + "/v1/tables/t/rows/row1?column=f:19999", "")).isEqualTo(200);
      assertThat(ask("GET", url + "/readyz", "")).isEqualTo(200);
      server.destroy();
      assertThat(server.waitFor()).isZero();
    } finally {
      server.destroyForcibly();
    }
    assertThat(Files.readString(dir.resolve("log"))).doesNotContain("OutOfMemoryError");
  }

  /** Two bytes each on the way, and an object afterwards. */
  @Test
  void messagesOfManyEmptyPartsUseUpNoMemory() throws Exception {
    Process server = server(freePort());
    try (BufferedReader out = server.inputReader()) {
      JsonNode serving = new ObjectMapper().readTree(out.readLine());
      ManagedChannel channel =
          Grpc.newChannelBuilder(serving.path("grpc").asText(), InsecureChannelCredentials.create())
              .build();
      Operation none = Operation.getDefaultInstance();
      RunRequest many =
          RunRequest.newBuilder().addAllOperations(Collections.nCopies(4_000_000, none)).build();
      ExecutorService threads = Executors.newCachedThreadPool();
      List<Future<Status.Code>> calls = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        calls.add(threads.submit(() -> run(channel, many)));
      }
      for (Future<Status.Code> each : calls) {
        assertThat(each.get()).isEqualTo(Status.Code.INVALID_ARGUMENT);
      }
      threads.shutdown();
      channel.shutdownNow();
      assertThat(ask("GET", serving.path("http").asText() + "/readyz", "")).isEqualTo(200);
      server.destroy();
      assertThat(server.waitFor()).isZero();
    } finally {
      server.destroyForcibly();
    }
    assertThat(Files.readString(dir.resolve("log"))).doesNotContain("OutOfMemoryError");
  }

  private static Status.Code run(ManagedChannel channel, RunRequest request)
      throws InterruptedException {
    Status.Code code = Status.Code.UNAVAILABLE;
    while (code == Status.Code.UNAVAILABLE) { // too much is on its way to it already
      try {
        Thread.sleep(100);
        TransactionsGrpc.newBlockingStub(channel).run(request);
        code = Status.Code.OK;
      } catch (StatusRuntimeException e) {
        code = e.getStatus().getCode();
      }
    }
    return code;
  }

  /** Tables that nobody writes to just now need little. */
  @Test
  void manyTablesUseUpNoMemory() throws Exception {
    Process server = server(freePort());
    try (BufferedReader out = server.inputReader()) {
      String url = new ObjectMapper().readTree(out.readLine()).path("http").asText();
      for (int i = 0; i < TABLES; i++) {
        assertThat(ask("PUT", url + "/v1/tables/t" + i, "{\"families\":[\"f\"]}")).isEqualTo(200);
        String set =
            "{\"operations\":[{\"op\":\"set\",\"table\":\"t%d\",\"row\":\"r\",\"columns\":{\"f:a\":\"x\"}}]}";
        assertThat(ask("POST", url + "/v1/transactions/run", set.formatted(i))).isEqualTo(200);
      }
      server.destroy();
      assertThat(server.waitFor()).isZero();
    } finally {
      server.destroyForcibly();
    }
    assertThat(Files.readString(dir.resolve("log"))).doesNotContain("OutOfMemoryError");
  }

  private static String shortColumns(String row, int columns) {
    return IntStream.range(0, columns)
        .mapToObj(i -> "\"f:" + i + "\":\"\"")
        .collect(
            Collectors.joining(
                ",",
                "{\"operations\":[{\"op\":\"set\",\"table\":\"t\",\"row\":\""
                    + row
                    + "\",\"columns\":{",
                "}}]}"));
  }

  /** Begins again when it is told that it was rolled back, or that it has gone. */
  private boolean commitLong(String url, String row) throws IOException, InterruptedException {
    while (true) {
      String begun = say("POST", url + "/v1/transactions", "{}").body();
      String id = new ObjectMapper().readTree(begun).path("transaction").asText();
      String path = url + "/v1/transactions/" + id;
      int status = id.isEmpty() ? 404 : 200;
      for (int step = 0; step < STEPS && status == 200; step++) {
        String set =
            "{\"op\":\"set\",\"table\":\"t\",\"row\":\"%s\",\"columns\":{\"f:%d\":\"%s\"}}"
                .formatted(row, step, text(step));
        String body = "{\"operations\":[" + set + "],\"step\":" + (step + 1) + "}";
        status = patiently(path + "/operations", body);
      }
      if (status == 200) {
        String name = "commit-" + id;
        status = patiently(path + "/commit", "{\"request\":\"" + name + "\"}");
        boolean done =
            status == 200
                || say("DELETE", url + "/v1/requests/" + name, "").body().contains("\"commit\"");
        if (done) {
          return true;
        }
      }
      Thread.sleep(200);
    }
  }

  private int patiently(String url, String body) throws IOException, InterruptedException {
    int status = 503;
    while (status == 503 || status == 429 || status == 504) {
      status = ask("POST", url, body);
      Thread.sleep(status == 200 ? 0 : 200);
    }
    return status;
  }

  private void run(String line) {
    CommandRun run = CommandRun.of(line.replace("DIR", dir.toString()));
    assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.DONE);
  }

  /** A MiB of letters that do not compress well. */
  private static String text(int seed) {
    return new Random(seed)
        .ints(MIB, 'a', 'z' + 1)
        .mapToObj(Character::toString)
        .collect(Collectors.joining());
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0)) {
      return free.getLocalPort();
    }
  }

  private Process server(int redis) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx160m",
            "-XX:+UseSerialGC",
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
            "server.redis=127.0.0.1:" + redis,
            "--set",
            "server.stores=" + dir.resolve("stores"))
        .redirectError(dir.resolve("log").toFile())
        .start();
  }

  private void fill(String url) throws IOException, InterruptedException {
    assertThat(ask("PUT", url + "/v1/tables/t", "{\"families\":[\"f\"]}")).isEqualTo(200);
    for (int row = 0; row < 4; row++) {
      for (int column = 0; column < 8; column++) {
        String write =
            "{\"operations\":[{\"op\":\"set\",\"table\":\"t\",\"row\":\"r%d\",\"columns\":{\"f:%d\":\"%s\"}}]}"
                .formatted(row, column, text(column));
        assertThat(ask("POST", url + "/v1/transactions/run", write)).isEqualTo(200);
      }
    }
  }

  private int ask(String method, String url, String body) throws IOException, InterruptedException {
    return say(method, url, body).statusCode();
  }

  private HttpResponse<String> say(String method, String url, String body)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
    if (body.isEmpty()) {
      request.method(method, HttpRequest.BodyPublishers.noBody());
    } else {
      request
          .header("Content-Type", "application/json")
          .method(method, HttpRequest.BodyPublishers.ofString(body));
    }
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  /** As any client does: again and again while the server says that it is busy. */
  private int readRow(String url) throws IOException, InterruptedException {
    int status = 503;
    while (status == 503) {
      Thread.sleep(200);
      status = ask("GET", url, "");
    }
    return status;
  }

  private static char readStore(int port) throws IOException, InterruptedException {
    char first = '-';
    while (first == '-') {
      Thread.sleep(200);
      first = readAll(port);
    }
    return first;
  }

  /** MGET of all values; the first letter of what the first of them was answered. */
  private static char readAll(int port) throws IOException, InterruptedException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      StringBuilder command = new StringBuilder("*" + (VALUES + 1) + "\r\n$4\r\nMGET\r\n");
      for (int i = 1; i <= VALUES; i++) {
        String key = "s:k" + i;
        command.append("$").append(key.length()).append("\r\n").append(key).append("\r\n");
      }
      socket.getOutputStream().write(command.toString().getBytes(StandardCharsets.US_ASCII));
      InputStream in = socket.getInputStream();
      String head = "";
      while (!head.endsWith("\n")) {
        head += (char) in.read();
      }
      if (head.charAt(0) == '-') {
        return '-';
      }
      char first = (char) in.read();
      in.skipNBytes((long) VALUES * MIB);
      return first;
    }
  }
}
