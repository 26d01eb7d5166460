package io.braid.cli.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;

class TopScreenTest {
  private static JsonNode json(String text) throws IOException {
    return new ObjectMapper().readTree(text.replace('\'', '"'));
  }

  private static JsonNode status(long commits) throws IOException {
    return json(
        "{'time':'2026-01-02T03:04:05.678Z','transactions':{'one_phase':"
            + commits
            + ",'omid_commits':10,'open':3,'unknown':1},"
            + "'gateway':{'committed':{'p50_millis':0.25,'p99_millis':1.5}}}");
  }

  @Test
  void whatWorksAndWhatWaitsIsDrawn() throws IOException {
    TopScreen screen =
        new TopScreen(
            URI.create("http://127.0.0.1:7800"),
            new TopFigures(status(150), status(50), 2),
            json("[{'observer':'links','pending':7,'dead_letters':1,'oldest_pending_millis':40}]"),
            json("[{'group':'g','members':3,'commits':9,'unshipped':2,'state':'live'}]"),
            json(
                "[1,2,3,4,5,6,7,8]"
                    .replaceAll("([0-9])", "{'job':'load$1','tasks':4,'state':'done'}")),
            json("[]"));
    List<String> lines = screen.lines();
    assertThat(lines.get(0)).contains("http://127.0.0.1:7800", "03:04:05 UTC");
    assertThat(lines.get(2)).contains("50.0 commits/s", "1 unknown", "3 open");
    assertThat(lines.get(3)).contains("0.25 ms median", "1.50 ms p99");
    assertThat(lines).anyMatch(line -> line.matches("links +7 +1 +40 ms  runs"));
    assertThat(lines).anyMatch(line -> line.matches("g +3 +9 +2  live"));
    assertThat(lines).anyMatch(line -> line.startsWith("load6 "));
    assertThat(lines).noneMatch(line -> line.startsWith("load7 ")).endsWith("and 2 more");
    assertThat(lines).noneMatch(line -> line.startsWith("served store"));
    String drawn = TopScreen.drawn(List.of("a", "b"));
    assertThat(drawn).isEqualTo("\u001b[?7l\u001b[Ha\u001b[K\nb\u001b[K\n\u001b[J\u001b[?7h");
  }
}
