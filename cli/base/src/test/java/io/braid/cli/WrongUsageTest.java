package io.braid.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.cli.command.ExitCode;
import org.junit.jupiter.api.Test;

/** Mistakes at the prompt are answered in words that say what to do. */
class WrongUsageTest {
  private static String told(String line) {
    CommandRun run = CommandRun.of(line);
    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
    assertThat(run.out()).isEmpty();
    return run.err();
  }

  @Test
  void aVerbThatIsNoneIsNamedAndOneLikeItSuggested() {
    assertThat(told("tabel list")).contains("There is no verb 'tabel'.").contains("braid table");
    assertThat(told("table lst")).contains("There is no verb 'lst'.").contains("table list");
    assertThat(told("table --lst")).contains("'--lst'").doesNotContain("no verb");
  }

  @Test
  void whatIsNoNumberIsToldInWordsOfPeople() {
    assertThat(told("serve --http abc")).contains("'abc' is no whole number.");
  }

  @Test
  void aRingThatNobodyKnowsOfIsNotSaidToBeShared() {
    CommandRun run = CommandRun.of("cluster init --nodes http://127.0.0.1:1 --partitions 4");
    assertThat(run.code()).isEqualTo(ExitCode.UNAVAILABLE);
    assertThat(run.out()).contains("0 of 1 nodes know of a ring of 4 partitions.");
    assertThat(run.err()).contains("not told: http://127.0.0.1:1", "run this again");
  }

  @Test
  void aValueThatIsMissingIsTold() {
    assertThat(told("set accounts bob balance:usd")).contains("A value is missing");
    assertThat(told("set accounts bob a:x 1 a:y --fast")).contains("A value is missing");
    assertThat(told("set accounts bob")).contains("Missing required parameter");
  }
}
