package io.braid.testkit.checker;

import io.braid.testkit.checker.Replay.Line;
import io.braid.testkit.history.HistoryEntry;
import io.braid.testkit.history.HistoryEntry.Type;
import io.braid.testkit.history.HistoryFormatException;
import io.braid.testkit.history.Op;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * Judges histories of scans: every scan finds exactly the members of its range that were inserted
 * and not deleted by what had committed by its timestamp.
 *
 * <p>A transaction of unknown outcome has committed if somebody saw what it inserted. It is
 * applied, all of it, when the replay comes to the first who did; until then nothing of it may
 * show.
 */
final class ScanJudge implements HistoryKind.Judge, Replay.Steps {
  private final Findings findings = new Findings();
  private final Replay replay = new Replay();
  private final Map<Long, Line> inserters = new HashMap<>();
  private final Map<Long, Line> deleters = new HashMap<>();
  private final Set<Line> settled = new HashSet<>();

  /** As they are at this step of the replay. */
  private final NavigableSet<Long> members = new TreeSet<>();

  @Override
  public void add(long number, HistoryEntry entry) {
    Line line = new Line(number, entry);
    boolean inserts = false;
    boolean deletes = false;
    for (Op op : entry.ops()) {
      deletes |= op instanceof Op.Delete;
      if (op instanceof Op.Insert insert) {
        inserts = true;
        if (inserters.put(insert.member(), line) != null) {
          throw new HistoryFormatException(
              "Member " + insert.member() + " is inserted once more in line " + number + ".");
        }
      }
    }
    if (entry.type() == Type.OK) {
      replay.add(line);
    } else if (entry.type() == Type.INFO && deletes && !inserts) {
      throw new HistoryFormatException(
          "Nobody can tell what became of line " + number + ": it deletes, but inserts nothing.");
    }
  }

  @Override
  public Findings finish() {
    replay.checkClock(findings);
    replay.run(this);
    return findings;
  }

  @Override
  public void apply(Line line) {
    for (Op op : line.entry().ops()) {
      if (op instanceof Op.Insert insert) {
        members.add(insert.member());
      } else if (op instanceof Op.Delete delete) {
        settle(delete.member());
        delete(line, delete.member());
      }
    }
  }

  private void delete(Line line, long member) {
    Line before = deleters.put(member, line);
    if (!members.remove(member)) {
      String text = "Member " + member + " was deleted, but was not there any more, or not yet.";
      Line other = before == null ? inserters.get(member) : before;
      findings.add(
          "lost-update",
          text,
          List.of(line.toString(), other == null ? "no other" : other.toString()));
    }
  }

  /** Somebody saw this member: an undecided transaction that inserted it has committed. */
  private void settle(long member) {
    Line inserter = inserters.get(member);
    if (inserter != null && inserter.entry().type() == Type.INFO && settled.add(inserter)) {
      apply(inserter);
    }
  }

  @Override
  public void read(Line line) {
    Set<Long> inserted = new HashSet<>();
    Set<Long> deleted = new HashSet<>();
    for (Op op : line.entry().ops()) {
      if (op instanceof Op.Insert insert) {
        inserted.add(insert.member());
      } else if (op instanceof Op.Delete delete) {
        deleted.add(delete.member());
      } else if (op instanceof Op.Range range) {
        range.members().stream().filter(m -> !inserted.contains(m)).forEach(this::settle);
        NavigableSet<Long> expected = new TreeSet<>(members.subSet(range.from(), range.to()));
        inserted.stream().filter(m -> m >= range.from() && m < range.to()).forEach(expected::add);
        expected.removeAll(deleted);
        check(line, range, expected);
      }
    }
  }

  private void check(Line line, Op.Range range, NavigableSet<Long> expected) {
    if (List.copyOf(expected).equals(range.members())) {
      return;
    }
    Set<Long> seen = new TreeSet<>(range.members());
    if (!List.copyOf(seen).equals(range.members())) {
      String text = "A scan does not return each member once, in order.";
      findings.add("wrong-order", text, List.of(line.toString(), range.members().toString()));
    }
    List<String> wrong = new ArrayList<>();
    expected.stream().filter(m -> !seen.contains(m)).forEach(m -> wrong.add(missing(m)));
    for (long member : seen) {
      if (!expected.contains(member)) {
        addSurplus(line, member, wrong);
      }
    }
    if (!wrong.isEmpty()) {
      wrong.add(0, line.toString());
      String text =
          "A scan of ["
              + range.from()
              + ", "
              + range.to()
              + ") found "
              + seen.size()
              + " members where "
              + expected.size()
              + " had committed by its timestamp.";
      findings.add("wrong-snapshot", text, wrong);
    }
  }

  private String missing(long member) {
    return member + " is missing, inserted by " + inserters.get(member);
  }

  private void addSurplus(Line line, long member, List<String> wrong) {
    Line inserter = inserters.get(member);
    if (inserter == null) {
      String text = "Nobody inserted " + member + ".";
      findings.add("garbage-read", text, List.of(line.toString()));
    } else if (inserter.entry().type() == Type.FAIL) {
      String text = "Member " + member + " was inserted by a failed transaction.";
      findings.add("G1a", text, List.of(inserter.toString(), line.toString()));
    } else {
      Line deleter = deleters.get(member);
      wrong.add(
          member
              + " was found, inserted by "
              + inserter
              + (deleter == null ? "" : " and deleted by " + deleter));
    }
  }
}
