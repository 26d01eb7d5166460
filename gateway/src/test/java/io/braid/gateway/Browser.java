package io.braid.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A headless Chromium with one page, driven through its debugging port. */
final class Browser implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long PATIENCE_SECONDS = 60;

  private final Process process;
  private final WebSocket socket;
  private final AtomicInteger ids = new AtomicInteger();
  private final Map<Integer, CompletableFuture<JsonNode>> asked = new ConcurrentHashMap<>();
  private final List<String> errors = new CopyOnWriteArrayList<>();

  /** Where one is installed, if so. */
  static Optional<Path> find() {
    List<Path> all = new ArrayList<>();
    for (String folder : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
      for (String name : List.of("chromium", "chromium-browser", "google-chrome")) {
        all.add(Path.of(folder, name));
      }
    }
    return all.stream().filter(Files::isExecutable).findFirst();
  }

  /**
   * @param profile a folder of its own
   */
  Browser(Path binary, Path profile) throws Exception {
    process =
        new ProcessBuilder(
                binary.toString(),
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                // It talks to the node and to nobody else.
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--disable-quic",
                "--no-first-run",
                "--window-size=1280,900",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "about:blank")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    HttpClient client = HttpClient.newHttpClient();
    HttpRequest page =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + "/json/new?about:blank"))
            .PUT(HttpRequest.BodyPublishers.noBody())
            .build();
    String answer = client.send(page, HttpResponse.BodyHandlers.ofString()).body();
    URI address = URI.create(JSON.readTree(answer).path("webSocketDebuggerUrl").asText());
    socket =
        client
            .newWebSocketBuilder()
            .buildAsync(address, new Listener())
            .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    send("Runtime.enable", JSON.createObjectNode());
    send("Page.enable", JSON.createObjectNode());
  }

  /** The port that it chose, as it says when it listens; what else it says is read and dropped. */
  private int port() throws IOException {
    BufferedReader said = process.errorReader(StandardCharsets.UTF_8);
    for (String line = said.readLine(); line != null; line = said.readLine()) {
      if (line.startsWith("DevTools listening on ")) {
        Thread drain = new Thread(() -> said.lines().forEach(rest -> {}));
        drain.setDaemon(true);
        drain.start();
        return URI.create(line.substring("DevTools listening on ".length())).getPort();
      }
    }
    throw new IOException("Chromium did not start.");
  }

  private final class Listener implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      text.append(data);
      if (last) {
        take(text.toString());
        text.setLength(0);
      }
      from.request(1);
      return null;
    }
  }

  private void take(String text) {
    try {
      JsonNode message = JSON.readTree(text);
      if (message.has("id")) {
        CompletableFuture<JsonNode> answer = asked.remove(message.path("id").asInt());
        if (answer != null) {
          answer.complete(message);
        }
      } else if (message.path("method").asText().equals("Runtime.exceptionThrown")) {
        errors.add(message.at("/params/exceptionDetails").toString());
      }
    } catch (IOException e) {
      errors.add(e.toString());
    }
  }

  private JsonNode send(String method, ObjectNode parameters) throws Exception {
    int id = ids.incrementAndGet();
    CompletableFuture<JsonNode> answer = new CompletableFuture<>();
    asked.put(id, answer);
    ObjectNode message = JSON.createObjectNode().put("id", id).put("method", method);
    message.set("params", parameters);
    socket.sendText(message.toString(), true);
    JsonNode got = answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    if (got.has("error")) {
      throw new AssertionError(method + ": " + got);
    }
    return got.path("result");
  }

  void open(URI address) throws Exception {
    send("Page.navigate", JSON.createObjectNode().put("url", address.toString()));
  }

  /** The value of an expression in the page. */
  JsonNode evaluate(String expression) throws Exception {
    JsonNode result =
        send(
            "Runtime.evaluate",
            JSON.createObjectNode()
                .put("expression", expression)
                .put("awaitPromise", true)
                .put("returnByValue", true));
    if (result.has("exceptionDetails")) {
      throw new AssertionError(expression + ": " + result);
    }
    return result.at("/result/value");
  }

  /** Waits until an expression in the page is true; while the page is not there yet, it is not. */
  void await(String expression) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    String safe =
        "(() => { try { return !!(" + expression + "); } catch (e) { return false; } })()";
    while (!evaluate(safe).asBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError(
            "Never true: " + expression + "; the page: " + evaluate("document.body.innerText"));
      }
      Thread.sleep(20);
    }
  }

  /** As somebody who likes it dark, or not. */
  void prefer(String scheme) throws Exception {
    ObjectNode parameters = JSON.createObjectNode();
    parameters
        .putArray("features")
        .addObject()
        .put("name", "prefers-color-scheme")
        .put("value", scheme);
    send("Emulation.setEmulatedMedia", parameters);
  }

  /** A picture of the page, as PNG. */
  byte[] picture() throws Exception {
    JsonNode picture = send("Page.captureScreenshot", JSON.createObjectNode().put("format", "png"));
    return Base64.getDecoder().decode(picture.path("data").asText());
  }

  /** What went wrong in scripts of the page. */
  List<String> errors() {
    return errors;
  }

  @Override
  public void close() throws Exception {
    socket.abort();
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }
}
