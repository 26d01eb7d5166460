package io.braid.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A demonstration whose process is killed goes on where it was, and ends with the same index. */
class DemoKillIT {
  private static final int PAGES = 400;

  @TempDir Path dir;

  @Test
  void aKilledRunGoesOnAndEndsWithTheSameIndex() throws Exception {
    write("lib-1.jar", "one", 0);
    write("lib-2.jar", "two", 1);

    assertThat(runAndKillAt("Loaders write pages")).noneMatch(DemoKillIT::saysResumed);
    assertThat(runAndKillAt("3. The new release")).anyMatch(DemoKillIT::saysResumed);
    JsonNode killed = run("killed", true);
    JsonNode whole = run("whole", false);

    for (String count : List.of("pages", "distinct_exact", "distinct_text", "links")) {
      assertThat(killed.get(count)).as(count).isEqualTo(whole.get(count));
    }
    assertThat(whole.get("pages").asInt()).isEqualTo(PAGES);
    assertThat(whole.get("links").asInt()).isEqualTo(2 * PAGES - 1);
  }

  private List<String> runAndKillAt(String line) throws IOException {
    Process process = start("killed");
    List<String> lines = new ArrayList<>();
    try (BufferedReader err = process.errorReader(StandardCharsets.UTF_8)) {
      for (String next = err.readLine(); next != null; next = err.readLine()) {
        lines.add(next);
        if (next.contains(line)) {
          process.toHandle().destroyForcibly(); // leaves the streams open, unlike the process does
        }
      }
    }
    assertThat(lines).anyMatch(l -> l.contains(line));
    return lines;
  }

  private JsonNode run(String data, boolean resumes) throws Exception {
    Process process = start(data);
    List<String> err;
    String out;
    try (BufferedReader errors = process.errorReader(StandardCharsets.UTF_8);
        BufferedReader results = process.inputReader(StandardCharsets.UTF_8)) {
      err = errors.lines().toList();
      out = String.join("\n", results.lines().toList());
    }
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(String.join("\n", err)).isZero();
    assertThat(err.stream().anyMatch(DemoKillIT::saysResumed)).isEqualTo(resumes);
    return new ObjectMapper().readTree(out);
  }

  private static boolean saysResumed(String line) {
    return line.contains("An earlier run was interrupted");
  }

  private Process start(String data) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            "io.braid.cli.Main",
            "demo",
            "--once",
            "--json",
            "--first",
            dir.resolve("lib-1.jar").toString(),
            "--second",
            dir.resolve("lib-2.jar").toString(),
            "--data",
            dir.resolve(data).toString())
        .start();
  }

  /** Pages that link to the next one and to a popular one; the first few are called differently. */
  private void write(String file, String release, int from) throws IOException {
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(dir.resolve(file)))) {
      for (int i = from; i < from + PAGES; i++) {
        zip.putNextEntry(new ZipEntry("p" + i + ".html"));
        String html =
            "<title>Page %d</title>page %d of release %s <a href=p%d.html>n</a> <a href=p9.html>h</a>"
                .formatted(i, i, release, i + 1);
        zip.write(html.getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
      }
    }
  }
}
