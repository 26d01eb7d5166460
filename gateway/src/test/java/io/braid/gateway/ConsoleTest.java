package io.braid.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page for people is whole, and asks nothing of anybody else. */
class ConsoleTest {
  @TempDir Path dir;

  @Test
  void thePageIsWholeAndStandsAlone() throws IOException {
    try (TestNode node = TestNode.start(dir)) {
      String page = node.get("/").text();
      String script = node.get("/console.js").text();
      String style = node.get("/console.css").text();
      Matcher wanted = Pattern.compile("(?:byId|draw)\\(\"([a-z-]+)\"").matcher(script);
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
}
