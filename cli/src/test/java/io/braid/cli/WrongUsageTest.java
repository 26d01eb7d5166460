package io.braid.cli;

import static org.assertj.core.api.Assertions.assertThat;

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
  void aValueThatIsMissingIsTold() {
    assertThat(told("set accounts bob balance:usd")).contains("A value is missing");
    assertThat(told("set accounts bob a:x 1 a:y --fast")).contains("A value is missing");
    assertThat(told("set accounts bob")).contains("Missing required parameter");
  }
}
