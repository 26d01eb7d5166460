package io.braid.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The first page that somebody new sees. */
class VerbListTest {
  @Test
  void everyVerbStandsWithThoseOfItsKind() {
    Set<String> verbs = Main.commandLine().getSubcommands().keySet();
    List<String> placed =
        VerbList.GROUPS.values().stream()
            .flatMap(List::stream)
            .filter(verb -> !VerbList.LAB.contains(verb))
            .toList();
    assertThat(placed).doesNotHaveDuplicates().allMatch(verbs::contains);
    assertThat(verbs.stream().filter(verb -> !placed.contains(verb)))
        .containsExactlyInAnyOrder("help", "generate-completion");
  }

  @Test
  void eachVerbIsToldInItsFirstSentence() {
    String help = CommandRun.of("--help").out();
    assertThat(help).contains("Served stores:", "  gc ", "no snapshot can need any more.");
    assertThat(help).contains("in a checkout", "  simulate, scopes, model, soak, campaign, bench");
    assertThat(help).doesNotContain("Pins, open snapshots and undecided");
    assertThat(help.lines()).allMatch(line -> line.length() <= 80);
  }
}
