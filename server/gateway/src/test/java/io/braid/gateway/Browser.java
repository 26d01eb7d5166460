package io.braid.gateway;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

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

/**
 * A headless Chromium with one page, driven through its debugging port. The pictures that it takes
 * stay in {@code target/console}.
 */
final class Browser implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Path PICTURES = Path.of("target", "console");
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
   * Starts one; without a Chromium here the test is passed over.
   *
   * @param dir in which it may have a folder
   */
  static Browser start(Path dir) throws Exception {
    Optional<Path> binary = find();
    assumeTrue(binary.isPresent(), "No Chromium is installed.");
    return new Browser(binary.get(), dir.resolve("profile"));
  }

  /**
   * @param profile a folder of its own
   */
  private Browser(Path binary, Path profile) throws Exception {
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

  /** Clicks on a button that is drawn; the question whether that is meant is asked then. */
  void ask(String label) throws Exception {
    String button =
        "[...document.querySelectorAll('main button')].find(b => b.innerText === '" + label + "')";
    await(button);
    evaluate(button + ".click()");
    await("document.getElementById('ask').open");
  }

  /** The question that is asked. */
  String question() throws Exception {
    return evaluate("document.getElementById('ask-text').innerText").asText();
  }

  /** Says that it is meant, or not. */
  void say(String yes) throws Exception {
    evaluate("document.querySelector('#ask button[value=" + yes + "]').click()");
  }

  /** Clicks on a button, and means it. */
  void click(String label) throws Exception {
    ask(label);
    say("yes");
  }

  /** What can be read in a part of the page. */
  String text(String id) throws Exception {
    return evaluate("document.getElementById('" + id + "').innerText").asText();
  }

  /** Presses a key. */
  void press(String key) throws Exception {
    ObjectNode down = JSON.createObjectNode().put("key", key);
    if (key.length() == 1) {
      down.put("text", key);
    } else if (key.equals("Enter")) {
      down.put("text", "\r").put("windowsVirtualKeyCode", 13);
    } else if (key.equals("Tab")) {
      down.put("windowsVirtualKeyCode", 9);
    }
    send("Input.dispatchKeyEvent", down.deepCopy().put("type", "keyDown"));
    send("Input.dispatchKeyEvent", down.put("type", "keyUp"));
  }

  /** In a window of this size, in pixels. */
  void size(int width, int height) throws Exception {
    send(
        "Emulation.setDeviceMetricsOverride",
        JSON.createObjectNode()
            .put("width", width)
            .put("height", height)
            .put("deviceScaleFactor", 1)
            .put("mobile", false));
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

  /** Takes a picture of the page, for people to look at. */
  void keep(String name) throws Exception {
    JsonNode picture = send("Page.captureScreenshot", JSON.createObjectNode().put("format", "png"));
    Files.createDirectories(PICTURES);
    Files.write(
        PICTURES.resolve(name + ".png"), Base64.getDecoder().decode(picture.path("data").asText()));
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
