package io.braid.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import io.braid.serving.build.BuildPlan;
import io.braid.serving.build.StoreBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page for people is whole, and asks nothing of anybody else. */
class ConsoleTest {
  @TempDir Path dir;

  @Test
  void thePageIsWholeAndStandsAlone() throws IOException {
    try (TestNode node = TestNode.start(dir)) {
      String page = node.get("/").text();
      String script =
          Stream.of("/console.js", "/overview.js", "/jobs.js")
              .map(path -> node.get(path).text())
              .collect(Collectors.joining());
      String style = node.get("/console.css").text();
      Matcher wanted = Pattern.compile("(?:byId|draw|pager)\\(\"([a-z-]+)\"").matcher(script);
      int found = 0;
      while (wanted.find()) {
        found++;
        assertThat(page).contains("id=\"" + wanted.group(1) + "\"");
      }
      assertThat(found).isGreaterThan(20);
      assertThat(page + style).doesNotContain("http:", "https:", "onclick", "style=");
      assertThat(script).doesNotContain("innerHTML", "eval(", "localStorage");
      Matcher asked = Pattern.compile("\"(/v1/[a-z]+)").matcher(script);
      String description = node.get("/openapi.json").text();
      while (asked.find()) {
        assertThat(description).contains("\"" + asked.group(1));
      }
      assertThat(style).contains("prefers-color-scheme: dark", ":focus-visible");
      assertThat(node.ask("POST", "/", "{}").status()).isEqualTo(404);
    }
  }

  /**
   * What its button asks for goes no shorter way than a push: nobody has made the version ready.
   */
  @Test
  void aSwapFromThePageReadsTheVersionThroughBeforeItGoesLive() throws Exception {
    try (TestNode node = TestNode.start(dir)) {
      for (int version = 1; version <= 2; version++) {
        fetch(node, dir, version);
      }
      assertThat(node.post("/stores/people/swap", "{'version':1}").status()).isEqualTo(200);
      damage(dir.resolve("stores/people/version-2"));
      TestNode.Answer refused = node.post("/stores/people/swap", "{'version':2}");
      assertThat(refused.status()).as(refused.text()).isEqualTo(409);
      assertThat(refused.json().path("message").asText())
          .contains("Version 2 of people is damaged", "Fetch it again");
      assertThat(node.get("/stores/people/versions").json().path("live").asLong()).isEqualTo(1);
    }
  }

  /** Builds a version of the store people, and has a node fetch it, and no more. */
  static void fetch(TestNode node, Path dir, int version) throws Exception {
    Path out = dir.resolve("built-" + version);
    try (StoreBuilder builder = new StoreBuilder(BuildPlan.of("people"), out)) {
      builder.add(Bytes.of("1"), Bytes.of("v" + version));
      builder.finish();
    }
    String from = StoreBuilder.folder(out, 0).toString();
    TestNode.Answer begun = node.post("/stores/people/fetch", "{'from':'" + from + "'}");
    assertThat(begun.status()).as(begun.text()).isEqualTo(200);
    while (!Files.isDirectory(dir.resolve("stores/people/version-" + version))) {
      Thread.sleep(5);
    }
  }

  private static void damage(Path version) throws IOException {
    try (Stream<Path> files = Files.walk(version)) {
      Path data = files.filter(file -> file.toString().endsWith(".data")).findFirst().orElseThrow();
      byte[] bytes = Files.readAllBytes(data);
      bytes[bytes.length - 1] ^= 1;
      Files.write(data, bytes);
    }
  }
}
