package io.braid.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The list of figures names commands that there are, and stands in the documentation. */
class PaperFiguresTest {
  private static final Path PAGE = Path.of("..", "..", "docs", "figures.md");
  private static final String HEAD =
      """
      # Figures of the papers

      Every table and figure of the evaluations of the five papers, the command that has its counterpart, and what is missing of
      it. `./braid bench all` runs those of the embedded store, `--with hbase,groups-hbase` those on HBase besides, and writes
      their results beside the papers' into `docs/results`.
      Made by `PaperFiguresTest`; `-Dbraid.rewrite=true` writes it again.

      """;

  @Test
  void everyCommandIsOneThatThereIs() throws IOException {
    Set<String> here = new CommandLine(new Main.Bench()).getSubcommands().keySet();
    for (String command : PaperFigures.commands()) {
      String[] words = command.split(" ");
      if (words[0].equals("bench") && !words[1].equals("hbase")) {
        assertThat(here).as(command).contains(words[1]);
        // Throws when an option of it is not known.
        new CommandLine(new Main.Bench())
            .setCaseInsensitiveEnumValuesAllowed(true)
            .parseArgs(Arrays.copyOfRange(words, 1, words.length));
      }
    }
  }

  @Test
  void listStandsInTheDocumentation() throws IOException {
    String page = HEAD + PaperFigures.table();
    if (Boolean.getBoolean("braid.rewrite")) {
      Files.writeString(PAGE, page);
    }
    assertThat(PAGE).hasContent(page);
  }
}
