package io.braid.cli.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.braid.cli.command.DurationConverter;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.Terminal;
import io.braid.core.store.TabletUnavailableException;
import io.braid.http.TimedAnswers;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How a server fares, again and again: as a screen for a person, as lines for anything else. */
@Command(
    name = "top",
    description = {
      "Shows what a server does, until it is stopped: transactions, observers, key groups, loads and"
          + " served stores, drawn again every few seconds; q ends it.",
      "With --json or --lines, or where no terminal is, a line of figures each time."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid top",
      "  braid top --lines",
      "  braid top --url http://127.0.0.1:7800 --every 5s --count 3 --json"
    })
public final class TopCommand implements Callable<Integer> {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int LINES = 20;
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final long FIRST_MILLIS = 500;

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "The server (default: ${DEFAULT-VALUE}).")
  URI url = URI.create("http://127.0.0.1:7800");

  @Option(names = "--token-file", paramLabel = "FILE", description = "What says who asks.")
  @Nullable Path tokenFile;

  @Option(
      names = "--every",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "Between two lines (default: 2s).")
  Duration every = Duration.ofSeconds(2);

  @Option(names = "--count", paramLabel = "N", description = "End after so many lines.")
  long count = Long.MAX_VALUE;

  @Option(names = "--lines", description = "A line of figures each time, instead of a screen.")
  boolean asLines;

  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() throws IOException, InterruptedException {
    String header = tokenFile == null ? "" : "Bearer " + Files.readString(tokenFile).strip();
    HttpClient client = HttpClient.newHttpClient();
    boolean screen = !asLines && !output.json() && Terminal.console().isPresent();
    try (QuitKey quit = screen ? new QuitKey() : null) {
      go(client, header, quit);
    }
    return ExitCode.DONE;
  }

  /**
   * @param quit the key that ends the command; null to print lines without asking for a key
   */
  private void go(HttpClient client, String header, @Nullable QuitKey quit)
      throws IOException, InterruptedException {
    // Rates are of a span of time: the first is short, so that figures show at once.
    JsonNode before = ask(client, "/v1/status", header);
    long begin = System.nanoTime();
    boolean ended = ends(quit, Duration.ofMillis(Math.min(every.toMillis(), FIRST_MILLIS)));
    for (long n = 0; n < count && !ended; n++) {
      JsonNode now = ask(client, "/v1/status", header);
      long end = System.nanoTime();
      double seconds = (end - begin) / 1e9;
      if (quit != null) {
        draw(client, header, new TopFigures(now, before, seconds));
      } else {
        show(n, new TopFigures(now, before, seconds));
      }
      before = now;
      begin = end;
      ended = n + 1 < count && ends(quit, every);
    }
  }

  /** Waits for a time. Returns whether the command shall end. */
  private static boolean ends(@Nullable QuitKey quit, Duration pause)
      throws IOException, InterruptedException {
    if (quit != null) {
      return quit.pressed(pause);
    }
    Thread.sleep(pause.toMillis());
    return false;
  }

  private void draw(HttpClient client, String header, TopFigures figures)
      throws IOException, InterruptedException {
    TopScreen screen =
        new TopScreen(
            url,
            figures,
            ask(client, "/v1/observers", header).path("observers"),
            ask(client, "/v1/groups", header).path("groups"),
            jobs(client, header),
            ask(client, "/stores", header).path("stores"));
    output.out().print(TopScreen.drawn(screen.lines()));
    output.out().flush();
  }

  /** The loads, from all pages. */
  private JsonNode jobs(HttpClient client, String header) throws IOException, InterruptedException {
    ArrayNode all = JsonNodeFactory.instance.arrayNode();
    String query = "";
    while (true) {
      JsonNode page = ask(client, "/v1/jobs" + query, header);
      page.path("jobs").forEach(all::add);
      if (!page.has("next")) {
        return all;
      }
      query = "?after=" + URLEncoder.encode(page.path("next").asText(), StandardCharsets.UTF_8);
    }
  }

  private JsonNode ask(HttpClient client, String path, String header)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(url.resolve(path)).timeout(PATIENCE);
    if (!header.isEmpty()) {
      request.header("Authorization", header);
    }
    HttpResponse<InputStream> response;
    try {
      response = client.send(request.build(), TimedAnswers.within(PATIENCE));
    } catch (ConnectException e) {
      throw new TabletUnavailableException(
          "No server answers at " + url + ": start one with 'braid server', or name it with --url.",
          e);
    }
    JsonNode answer;
    try (InputStream in = response.body()) {
      answer = JSON.readTree(in);
    }
    if (response.statusCode() != 200) {
      throw new IOException(answer.path("message").asText("status " + response.statusCode()));
    }
    return answer;
  }

  private void show(long n, TopFigures figures) {
    if (n % LINES == 0 && !output.json()) {
      output.out().println(TopFigures.HEADER);
    }
    output.print(figures.toObject(), figures.toLine());
  }
}
