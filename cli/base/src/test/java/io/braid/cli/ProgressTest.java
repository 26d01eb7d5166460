package io.braid.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.examples.webindex.Counts;
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
  void aBackupThatHasBegunDoesNotLookDone() {
    try (Progress progress = new Progress(new PrintWriter(err), true)) {
      KeptSnapshots.shown(progress).at("settling", 0);
      KeptSnapshots.shown(progress).at("snapshots of tables", 3);
      BackupCommand.shown(progress).at("copying", 5000);
    }

    assertThat(err.toString()).contains("settling", "snapshots of tables", "3", "5000", "bytes");
    assertThat(err.toString()).doesNotContain("0/0").doesNotContain("100%").doesNotContain("/3");
  }

  @Test
  void anIndexThatIsBroughtUpToDateIsDoneWhenNoChangeWaits() {
    Counts counts = new Counts(2, 2, 2, 30);
    try (Progress progress = new Progress(new PrintWriter(err), true)) {
      IndexingProgress indexing = new IndexingProgress(progress, "Indexing");
      indexing.show(counts, 5);
      indexing.show(counts, 8);
      indexing.show(counts, 2);
    }

    assertThat(err.toString()).contains("75%", "6/8", "2 pages, 30 links").doesNotContain("100%");
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
