package io.braid.cli.command;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarConsumer;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * How far a long task is, on standard error: a bar on a terminal, a line now and then elsewhere.
 * For one thread.
 */
public final class Progress implements AutoCloseable {
  private static final long UNKNOWN = -1;
  private static final Duration BETWEEN_LINES = Duration.ofSeconds(2);

  private final PrintWriter err;
  private final boolean terminal;
  private String task = "";
  private @Nullable ProgressBar bar;
  private final ProgressBarConsumer line;
  private long lastLine = System.nanoTime();

  public Progress(PrintWriter err) {
    this(err, Terminal.console().isPresent());
  }

  public Progress(PrintWriter err, boolean terminal) {
    this.err = err;
    this.terminal = terminal;
    this.line = Terminal.line(err);
  }

  /** Shows how much of a task is done, when the total is not known. */
  public void show(String newTask, long done, String more) {
    show(newTask, done, UNKNOWN, more);
  }

  /** Shows how much of a task is done; a new task ends the one before. */
  public void show(String newTask, long done, long total, String more) {
    if (!newTask.equals(task)) {
      close();
      task = newTask;
    }
    if (terminal) {
      showBar(done, total, more);
    } else if (System.nanoTime() - lastLine >= BETWEEN_LINES.toNanos()) {
      lastLine = System.nanoTime();
      String of = total == UNKNOWN ? "" : String.format(Locale.ROOT, " of %,d", total);
      String line = String.format(Locale.ROOT, "%s: %,d%s %s", task, done, of, more);
      err.println(line.strip());
      err.flush();
    }
  }

  private void showBar(long done, long total, String more) {
    ProgressBar shown = bar;
    if (shown == null) {
      shown =
          new ProgressBarBuilder()
              .setTaskName(task)
              .setInitialMax(total)
              .setStyle(ProgressBarStyle.ASCII)
              .setUpdateIntervalMillis(200)
              .hideEta()
              .clearDisplayOnFinish()
              .setConsumer(line)
              .build();
      bar = shown;
    }
    shown.maxHint(total);
    shown.stepTo(done);
    shown.setExtraMessage(more);
  }

  /** Ends the task. */
  @Override
  public void close() {
    ProgressBar shown = bar;
    if (shown != null) {
      shown.close();
      // A bar that is closed before it was ever drawn is drawn by the close, and stays.
      line.clear();
      bar = null;
    }
    task = "";
  }
}
