package io.braid.testkit.checker;

import io.braid.testkit.history.HistoryEntry;
import io.braid.testkit.history.HistoryFormatException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The order in which a history claims to have happened: each committed transaction reads at its
 * snapshot timestamp and takes effect at its commit timestamp. If a replay in that order finds
 * every read as recorded, the history was snapshot isolation. If the timestamps also agree with the
 * clock, it was strong snapshot isolation.
 */
final class Replay {
  private final List<Line> lines = new ArrayList<>();

  /** An entry and its line in the file. */
  record Line(long number, HistoryEntry entry) {
    @Override
    public String toString() {
      String times =
          entry.snapshot() == HistoryEntry.NONE
              ? entry.type().toString()
              : "snapshot " + entry.snapshot() + ", commit " + entry.commit();
      return "T"
          + number
          + " (line "
          + number
          + ", process "
          + entry.process()
          + ", "
          + times
          + ")";
    }
  }

  /** Takes the transactions in their claimed order. */
  interface Steps {
    /** The transaction reads its snapshot: all that committed up to its timestamp was applied. */
    void read(Line line);

    /** The transaction takes effect. */
    void apply(Line line);
  }

  private record Step(long timestamp, boolean reads, Line line) {}

  /**
   * Adds a committed transaction.
   *
   * @throws HistoryFormatException when its timestamps are not known
   */
  void add(Line line) {
    HistoryEntry entry = line.entry;
    if (entry.snapshot() == HistoryEntry.NONE || entry.commit() == HistoryEntry.NONE) {
      throw new HistoryFormatException(
          "Line " + line.number + " lacks the timestamps, ts and commit, by which it is judged.");
    }
    lines.add(line);
  }

  List<Line> lines() {
    return lines;
  }

  void run(Steps steps) {
    List<Step> all = new ArrayList<>(lines.size() * 2);
    for (Line line : lines) {
      all.add(new Step(line.entry.snapshot(), true, line));
      all.add(new Step(line.entry.commit(), false, line));
    }
    all.sort(Comparator.comparingLong(Step::timestamp).thenComparing(Step::reads));
    for (Step step : all) {
      if (step.reads) {
        steps.read(step.line);
      } else {
        steps.apply(step.line);
      }
    }
  }

  /** Checks that no transaction reads below one that had ended before it began. */
  void checkClock(Findings findings) {
    List<Line> ended = new ArrayList<>(lines);
    List<Line> started = new ArrayList<>(lines);
    ended.sort(Comparator.comparingLong(line -> line.entry.end()));
    started.sort(Comparator.comparingLong(line -> line.entry.start()));
    int next = 0;
    Line newest = null;
    for (Line line : started) {
      while (next < ended.size() && ended.get(next).entry.end() < line.entry.start()) {
        Line end = ended.get(next++);
        newest = newest == null || end.entry.commit() > newest.entry.commit() ? end : newest;
      }
      if (newest != null && newest.entry.commit() > line.entry.snapshot()) {
        findings.add(
            "stale-snapshot",
            "A transaction read a snapshot older than one that had ended before it began.",
            List.of(newest.toString(), line.toString()));
      }
    }
  }
}
