package io.braid.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TutorialsTest {
  private static final Path DOCS = Path.of("../../docs").toAbsolutePath().normalize();

  @TempDir Path dir;

  /**
   * Tutorials, and the first examples of some pages. In a process of its own, since commands work
   * in the folder of their process.
   */
  @Test
  void tutorialsDoWhatTheySay() throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xmx512m",
                "-cp",
                System.getProperty("java.class.path"),
                "io.braid.cli.TutorialRun"));
    List<Path> pages = pages(DOCS.resolve("tutorials"));
    assertThat(pages).hasSizeGreaterThanOrEqualTo(7);
    for (String page : List.of("faq.md", "serving.md", "groups.md", "omid.md")) {
      command.add(DOCS.resolve(page).toString());
    }
    // The server keeps the folder, so it comes last.
    pages.stream()
        .filter(each -> !each.endsWith("server.md"))
        .forEach(each -> command.add(each.toString()));
    command.add(DOCS.resolve("tutorials/server.md").toString());
    Process process =
        new ProcessBuilder(command).directory(dir.toFile()).redirectErrorStream(true).start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(printed).isZero();
    assertThat(printed)
        .contains("As it says: server.md", "As it says: loads.md", "As it says: faq.md")
        .contains("As it says: serving.md", "As it says: groups.md", "As it says: omid.md");
  }

  private static List<Path> pages(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(each -> each.toString().endsWith(".md")).sorted().toList();
    }
  }
}
