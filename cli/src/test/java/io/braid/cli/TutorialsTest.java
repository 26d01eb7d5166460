package io.braid.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TutorialsTest {
  private static final Path DOCS = Path.of("../docs").toAbsolutePath().normalize();
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]*)(?:#([^)]*))?\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");

  @TempDir Path dir;

  /** In a process of its own, since commands work in the folder of their process. */
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
    // The server keeps the folder, so it comes last.
    pages.stream()
        .filter(each -> !each.endsWith("server.md"))
        .forEach(each -> command.add(each.toString()));
    command.add(DOCS.resolve("tutorials/server.md").toString());
    Process process =
        new ProcessBuilder(command).directory(dir.toFile()).redirectErrorStream(true).start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(printed).isZero();
    assertThat(printed).contains("As it says: server.md", "As it says: loads.md");
  }

  private static List<Path> pages(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(each -> each.toString().endsWith(".md")).sorted().toList();
    }
  }

  @Test
  void pagesLinkToWhatThereIs() throws IOException {
    List<Path> all = new ArrayList<>(pages(HOME));
    all.add(HOME.resolve("client/README.md"));
    all.add(HOME.resolve("clients/python/README.md"));
    try (Stream<Path> docs = Files.walk(DOCS)) {
      docs.filter(each -> each.toString().endsWith(".md")).forEach(all::add);
    }
    for (Path page : all) {
      for (MatchResult link : LINK.matcher(Files.readString(page)).results().toList()) {
        Path to = link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1)).normalize();
        assertThat(to).as("a link of " + page).exists();
        if (link.group(2) != null) {
          assertThat(headings(to))
              .as("headings that " + page + " links to")
              .contains(link.group(2));
        }
      }
    }
  }

  /** What headings are linked to by, where the pages are shown. */
  private static List<String> headings(Path page) throws IOException {
    return HEADING
        .matcher(Files.readString(page))
        .results()
        .map(heading -> heading.group(1).toLowerCase(Locale.ROOT))
        .map(words -> words.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
        .toList();
  }
}
