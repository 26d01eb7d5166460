package io.braid.testkit.checker;

import io.braid.testkit.checker.Replay.Line;
import io.braid.testkit.history.HistoryEntry;
import io.braid.testkit.history.HistoryEntry.Type;
import io.braid.testkit.history.HistoryFormatException;
import io.braid.testkit.history.Op;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * Judges histories of scans: every scan finds exactly the members of its range that were inserted
 * and not deleted by the transactions that had committed by its timestamp.
 *
 * <p>A transaction of unknown outcome has committed if a scan finds its inserts, or misses a member
 * that no other transaction can have deleted. The whole transaction is applied when the replay
 * comes to the first such scan. Until then, none of its effects may show.
 */
final class ScanJudge implements HistoryKind.Judge, Replay.Steps {
  private final Findings findings = new Findings();
  private final Replay replay = new Replay();
  private final Map<Long, Line> inserters = new HashMap<>();
  private final Map<Long, Line> deleters = new HashMap<>();

  /** The transactions of unknown outcome that may have deleted a member. */
  private final Map<Long, List<Line>> suspects = new HashMap<>();

  /** The members that undecided transactions inserted and that others saw, then or later. */
  private final Set<Long> witnessed = new HashSet<>();

  private final Set<Line> settled = new HashSet<>();

  /** As they are at this step of the replay. */
  private final NavigableSet<Long> members = new TreeSet<>();

  @Override
  public void add(long number, HistoryEntry entry) {
    Line line = new Line(number, entry);
    if (entry.type() == Type.OK) {
      replay.add(line);
    }
    for (Op op : entry.ops()) {
      if (op instanceof Op.Insert insert && inserters.put(insert.member(), line) != null) {
        throw new HistoryFormatException(
            "Member " + insert.member() + " is inserted once more in line " + number + ".");
      }
      if (op instanceof Op.Delete delete && entry.type() == Type.INFO) {
        suspects.computeIfAbsent(delete.member(), m -> new ArrayList<>()).add(line);
      }
    }
  }

  @Override
  public Findings finish() {
    replay.checkClock(findings);
    replay.lines().forEach(this::witness);
    replay.run(this);
    return findings;
  }

  /** Notes which members of undecided transactions a transaction saw. */
  private void witness(Line line) {
    for (Op op : line.entry().ops()) {
      if (op instanceof Op.Range range) {
        range.members().stream().filter(this::isUndecided).forEach(witnessed::add);
      } else if (op instanceof Op.Delete delete && isUndecided(delete.member())) {
        witnessed.add(delete.member());
      }
    }
  }

  private boolean isUndecided(long member) {
    Line inserter = inserters.get(member);
    return inserter != null && inserter.entry().type() == Type.INFO;
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

  /**
   * Settles members that a scan misses: if no other transaction deleted one, an undecided one has.
   */
  private void settleMissing(Op.Range range, Set<Long> deleted) {
    if (suspects.isEmpty()) {
      return;
    }
    Set<Long> seen = new HashSet<>(range.members());
    for (long member : List.copyOf(members.subSet(range.from(), range.to()))) {
      if (!seen.contains(member) && !deleted.contains(member)) {
        suspects.getOrDefault(member, List.of()).stream()
            .filter(suspect -> !settled.contains(suspect))
            .max(Comparator.comparing(this::leftSomething))
            .ifPresent(this::settle);
      }
    }
  }

  /** Whether something that it inserted is ever seen. */
  private boolean leftSomething(Line undecided) {
    return undecided.entry().ops().stream()
        .anyMatch(op -> op instanceof Op.Insert insert && witnessed.contains(insert.member()));
  }

  /** Settles a member that was seen: an undecided transaction that inserted it has committed. */
  private void settle(long member) {
    Line inserter = inserters.get(member);
    if (inserter != null && isUndecided(member)) {
      settle(inserter);
    }
  }

  private void settle(Line undecided) {
    if (settled.add(undecided)) {
      apply(undecided);
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
        settleMissing(range, deleted);
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
