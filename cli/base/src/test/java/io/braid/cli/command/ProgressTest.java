package io.braid.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class ProgressTest {
  private final StringWriter err = new StringWriter();

  @Test
  void aTerminalGetsABarForEachTask() {
    try (Progress progress = new Progress(new PrintWriter(err), true)) {
      progress.show("Loading", 1, 4, "pages");
      progress.show("Loading", 3, 4, "pages");
      progress.show("Indexing", 1, 2, "pages");
    }

    assertThat(err.toString()).contains("Loading", "75%", "3/4", "Indexing", "50%", "1/2");
    assertThat(err.toString()).doesNotContain("\n");
  }

  @Test
  void noTotalIsShownWhenNobodyKnowsIt() {
    try (Progress progress = new Progress(new PrintWriter(err), true)) {
      progress.show("Reading", 7, "pages so far");
    }

    assertThat(err.toString()).contains("Reading", "7", "pages so far").doesNotContain("-1");
  }

  @Test
  void otherOutputGetsLinesNowAndThen() {
    try (Progress progress = new Progress(new PrintWriter(err), false)) {
      for (int i = 0; i < 1000; i++) {
        progress.show("Loading", i, 1000, "pages");
      }
    }

    assertThat(err.toString().lines()).hasSizeLessThan(10);
  }
}
