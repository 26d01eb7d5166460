package io.braid.cli.indexes;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.cli.command.Progress;
import io.braid.examples.webindex.Counts;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class IndexingProgressTest {
  @Test
  void anIndexThatIsBroughtUpToDateIsDoneWhenNoChangeWaits() {
    Counts counts = new Counts(2, 2, 2, 30);
    StringWriter err = new StringWriter();
    try (Progress progress = new Progress(new PrintWriter(err), true)) {
      IndexingProgress indexing = new IndexingProgress(progress, "Indexing");
      indexing.show(counts, 5);
      indexing.show(counts, 8);
      indexing.show(counts, 2);
    }

    assertThat(err.toString()).contains("75%", "6/8", "2 pages, 30 links").doesNotContain("100%");
  }
}
