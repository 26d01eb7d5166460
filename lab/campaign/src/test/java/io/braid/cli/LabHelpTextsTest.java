package io.braid.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.cli.command.ExitCode;
import org.junit.jupiter.api.Test;

/** What is asked of the help of every verb, with those of the laboratory beside them. */
class LabHelpTextsTest extends HelpTextsTest {
  @Test
  void theVerbsOfTheLaboratoryAreListedWithTheOthers() {
    assertThat(CommandRun.of("--help").out())
        .contains("Test it for long:\n", "  simulate  ", "  campaign  ")
        .doesNotContain("in a checkout");
  }

  @Test
  void whatIsNoNumberIsToldInWordsOfPeople() {
    CommandRun run = CommandRun.of("simulate --minutes long");

    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("'long' is no number.");
  }
}
