package io.braid.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.braid.cli.command.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The verbs demo, index and query as a user meets them. */
class WebIndexCommandsTest {
  private static final String[] COUNTS = {"pages", "distinct_exact", "distinct_text", "links"};

  @TempDir Path dir;

  private record Run(int code, String out, String err) {
    JsonNode json() throws IOException {
      return new ObjectMapper().readTree(out);
    }
  }

  private Run braid(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    List<String> all = new ArrayList<>(List.of(args));
    all.addAll(List.of("--data", dir.resolve("data").toString()));
    int code =
        Main.commandLine()
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(all.toArray(String[]::new));
    return new Run(code, out.toString(), err.toString());
  }

  private String page(String file, String html) throws IOException {
    Path path = dir.resolve(file);
    Path directory = path.resolveSibling("");
    Files.createDirectories(directory);
    Files.writeString(path, html);
    return directory.toString();
  }

  @Test
  void indexEndsWithTheCounts() throws IOException {
    String site = page("site/a.html", "apple <a href=b.html>b</a> <a href=b.html>b</a>");
    page("site/b.html", "banana <a href=a.html>a</a> <a href=gone.html>?</a>");
    page("site/c.html", "banana  <a href=a.html>a</a> <a href=gone.html>?</a>");

    Run run = braid("index", site, "--json");

    assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.DONE);
    assertCounts(run.json(), 3, 3, 2, 4);
    assertThat(run.json().get("new").asInt()).isEqualTo(3);
    assertThat(braid("index", site).out())
        .contains("0 pages new, 0 changed, 3 unchanged, 0 removed")
        .contains("3 pages, 3 of them distinct byte for byte, 2 by text; 4 links");
  }

  @Test
  void pruningForgetsWhatHasDisappeared() throws IOException {
    String site = page("site/a.html", "apple");
    page("site/b.html", "banana");
    braid("index", site);
    Files.delete(dir.resolve("site/b.html"));

    assertThat(braid("index", site, "--json").json().get("pages").asInt()).isEqualTo(2);
    JsonNode pruned = braid("index", site, "--prune", "--json").json();

    assertCounts(pruned, 1, 1, 1, 0);
    assertThat(pruned.get("removed").asInt()).isEqualTo(1);
    assertThat(braid("query", "banana").err()).contains("no page has all of these words");
  }

  @Test
  void queryShowsTheBestPagesFirst() throws IOException {
    braid("index", page("site/a.html", "<title>Fruit</title>An apple. <a href=b.html>more</a>"));
    page("site/b.html", "<title>Apple</title>apple apple");
    braid("index", dir.resolve("site").toString());

    Run text = braid("query", "Apple");
    Run json = braid("query", "apple", "--json", "--limit", "1");

    assertThat(text.code()).isEqualTo(ExitCode.DONE);
    assertThat(text.out())
        .startsWith("1. Apple")
        .contains("https://corpus/b.html", "1 link, which says \"more\"", "2. Fruit");
    assertThat(json.out().lines()).hasSize(1);
    assertThat(json.json().get("url").asText()).isEqualTo("https://corpus/b.html");
  }

  @Test
  void whatIsSkippedIsNamed() throws IOException {
    String site = page("site/a.html", "apple");
    page("secret.html", "not yours");
    Files.createSymbolicLink(dir.resolve("site/leak.html"), dir.resolve("secret.html"));

    Run run = braid("index", site);

    assertThat(run.code()).isEqualTo(ExitCode.DONE);
    assertThat(run.err()).contains("leak.html is a link that leads out of the directory.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "index nowhere                | 2 | There is no file or directory nowhere",
        "index pom.xml                | 1 | neither a jar, a zip nor a WARC file",
        "index src/main               | 1 | There is no page in src/main",
        "index src --base nonsense    | 2 | is no http or https URL",
        "index                        | 2 | Name a PATH",
        "index src pom.xml --base http://a | 2 | goes with a single PATH",
        "query                        | 2 | Missing required parameter",
        "query x                      | 1 | there is no web index in",
        "query x --limit 0            | 2 | takes a number from 1",
        "query x --store memory       | 1 | there is no web index in",
        "demo --first x.jar           | 2 | --first and --second go together",
        "demo --first x --second y    | 2 | There is no file or directory x",
      })
  void badInputIsRefusedWithAReason(String line, int code, String reason) {
    Run run = braid(line.strip().split(" +"));

    assertThat(run.code()).isEqualTo(code);
    assertThat(run.err()).contains(reason);
    assertThat(run.out()).isEmpty();
  }

  @Test
  void aDirectoryWithoutAnIndexStaysAsItIs() {
    braid("query", "x");

    assertThat(dir.resolve("data")).doesNotExist();
  }

  @Test
  void refusedInputLeavesTheDatabaseAsItWas() throws IOException {
    String site = page("site/a.html", "apple");
    braid("demo", "--once", "--first", site, "--second", site);
    Path torn = Files.writeString(dir.resolve("torn.warc"), "WARC/1.0\r\nWARC-Type: resp");

    Run refused = braid("index", torn.toString());

    assertThat(refused.code()).isEqualTo(ExitCode.FAILED);
    assertThat(refused.err()).contains("torn.warc is damaged").doesNotContain("null");
    assertThat(braid("demo", "--once", "--first", site, "--second", site).code())
        .as("the demonstration is still at home here")
        .isEqualTo(ExitCode.DONE);
  }

  @Test
  void refusedInputMakesNoDatabase() {
    braid("index", "src/main");

    assertThat(dir.resolve("data")).doesNotExist();
  }

  @Test
  void demoPrintsItsNumbersAsOneObject() throws IOException {
    String first = page("first/a.html", "one <a href=b.html>b</a>");
    page("first/b.html", "two");
    String second = page("second/a.html", "one <a href=b.html>b</a> more");
    page("second/b.html", "two");

    Run run = braid("demo", "--json", "--once", "--first", first, "--second", second);

    assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.DONE);
    assertCounts(run.json(), 2, 2, 2, 1);
    assertThat(run.json().fieldNames())
        .toIterable()
        .containsExactlyInAnyOrder(
            "pages",
            "distinct_exact",
            "distinct_text",
            "links",
            "index_latency_ms",
            "rebuild_s",
            "conflicts",
            "observer_runs",
            "serving");
    assertThat(run.json().path("serving").fieldNames())
        .toIterable()
        .containsExactly("build_s", "keys", "rollback_ms", "swap_ms");
    assertThat(run.json().get("index_latency_ms").fieldNames())
        .toIterable()
        .containsExactly("p50", "p99");
    assertThat(run.err()).contains("1. The first crawl", "What to try next");
  }

  @Test
  void demoTellsWhatItShows() throws IOException {
    String first = page("first/a.html", "one");
    String second = page("second/a.html", "two words");

    Run run = braid("demo", "--once", "--first", first, "--second", second, "--query", "two words");

    assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.DONE);
    assertThat(run.out())
        .containsSubsequence(
            "1. The first crawl",
            "2. One page in a hundred",
            "3. The new release",
            "4. The same index, rebuilt",
            "the same, cell by cell",
            "5. Queries",
            "two words",
            "https://first.corpus/a.html",
            "6. The index publishes itself",
            "1 pages have the word 'two'",
            "is refused: ",
            "suspiciously few",
            "'two' is gone",
            "'two' is there again",
            "What was shown",
            "What to try next");
  }

  @Test
  void anIndexThatTheUserMadeIsSafeFromTheDemo() throws IOException {
    String site = page("site/a.html", "apple");
    braid("index", site);

    Run run = braid("demo", "--once", "--first", site, "--second", site);

    assertThat(run.code()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err()).contains("Give it a directory of its own with --data DIR");
    assertThat(braid("query", "apple").out()).contains("a.html");
  }

  private static void assertCounts(JsonNode json, int... counts) {
    for (int i = 0; i < COUNTS.length; i++) {
      assertThat(json.get(COUNTS[i]).asInt()).as(COUNTS[i]).isEqualTo(counts[i]);
    }
  }
}
