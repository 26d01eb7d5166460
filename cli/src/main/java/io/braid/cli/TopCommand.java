package io.braid.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.braid.core.store.TabletUnavailableException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How a server fares, again and again. */
@Command(
    name = "top",
    description = "Shows what a server does: a line every few seconds, until it is stopped.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {"  braid top", "  braid top --url http://127.0.0.1:7800 --every 5s --count 3 --json"})
final class TopCommand implements Callable<Integer> {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int LINES = 20;

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

  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(url.resolve("/v1/status")).timeout(Duration.ofSeconds(10));
    if (tokenFile != null) {
      request.header("Authorization", "Bearer " + Files.readString(tokenFile).strip());
    }
    HttpClient client = HttpClient.newHttpClient();
    @Nullable JsonNode before = null;
    long begin = System.nanoTime();
    for (long n = 0; n < count; n++) {
      JsonNode now = ask(client, request.build());
      long end = System.nanoTime();
      show(n, now, before == null ? now : before, (end - begin) / 1e9);
      before = now;
      begin = end;
      if (n + 1 < count) {
        Thread.sleep(every.toMillis());
      }
    }
    return ExitCode.DONE;
  }

  private JsonNode ask(HttpClient client, HttpRequest request)
      throws IOException, InterruptedException {
    HttpResponse<String> response;
    try {
      response = client.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (ConnectException e) {
      throw new TabletUnavailableException(
          "No server answers at " + url + ": start one with 'braid server', or name it with --url.",
          e);
    }
    JsonNode answer = JSON.readTree(response.body());
    if (response.statusCode() != 200) {
      throw new IOException(answer.path("message").asText("status " + response.statusCode()));
    }
    return answer;
  }

  private void show(long n, JsonNode now, JsonNode before, double seconds) {
    double commits = rate(now, before, seconds, "one_phase", "two_phase", "omid_commits");
    double conflicts = rate(now, before, seconds, "conflicts", "omid_conflicts");
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("time", now.path("time").asText());
    line.put("commits_per_second", commits);
    line.put("conflicts_per_second", conflicts);
    line.put("unknown", now.at("/transactions/unknown").asLong());
    line.put("open", now.at("/transactions/open").asLong());
    line.put("p99_millis", now.at("/gateway/committed/p99_millis").asDouble());
    line.put("pending", now.at("/observers/pending").asLong());
    line.put("parked", now.at("/observers/parked").asLong());
    if (n % LINES == 0 && !output.json()) {
      output
          .out()
          .println("time (UTC)  commits/s  conflicts/s  unknown   open   p99 ms  pending   parked");
    }
    output.print(
        line,
        String.format(
            Locale.ROOT,
            "%-10.8s %10.1f %12.1f %8d %6d %8.2f %8d %8d",
            now.path("time").asText().substring(11),
            commits,
            conflicts,
            now.at("/transactions/unknown").asLong(),
            now.at("/transactions/open").asLong(),
            now.at("/gateway/committed/p99_millis").asDouble(),
            now.at("/observers/pending").asLong(),
            now.at("/observers/parked").asLong()));
  }

  private static double rate(JsonNode now, JsonNode before, double seconds, String... names) {
    long more = 0;
    for (String name : names) {
      more +=
          now.at("/transactions/" + name).asLong() - before.at("/transactions/" + name).asLong();
    }
    return Math.round(10 * more / Math.max(seconds, 0.001)) / 10.0;
  }
}
