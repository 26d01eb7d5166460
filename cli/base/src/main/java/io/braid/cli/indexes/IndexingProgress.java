package io.braid.cli.indexes;

import io.braid.cli.command.Progress;
import io.braid.examples.webindex.Counts;
import java.util.Locale;

/**
 * The progress of an index that is being brought up to date. Each change makes others, so the total
 * is not known. The bar shows, of the most changes that ever waited at once, how many are done.
 */
public final class IndexingProgress {
  private final Progress progress;
  private final String task;
  private long most;

  public IndexingProgress(Progress progress, String task) {
    this.progress = progress;
    this.task = task;
  }

  public void show(Counts counts, long waiting) {
    most = Math.max(most, waiting);
    progress.show(task, most - waiting, most, text(counts));
  }

  static String text(Counts counts) {
    return String.format(
        Locale.ROOT,
        "changes; %,d pages, %,d links, %,d clusters",
        counts.pages(),
        counts.links(),
        counts.distinctExact());
  }
}
