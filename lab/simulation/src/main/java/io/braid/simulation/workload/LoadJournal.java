package io.braid.simulation.workload;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;

/**
 * The journal of clients and loads on a table, and the check that the journal is possible. The
 * events of each row, in the order of their commits, have to explain everything that was read.
 */
public final class LoadJournal {
  public static final String TABLE = "loaded";
  public static final String FAMILY = "f";
  public static final Column<String> COLUMN = Column.of(FAMILY, "x", Codecs.utf8());

  /** Rows that clients write too; those after them only loads do. */
  static final int SHARED = 8;

  public static final int KEYS = 16;

  private final List<Append> appends = new ArrayList<>();
  private final Map<Long, Long> told = new HashMap<>();
  private final List<Load> loads = new ArrayList<>();
  private final List<Reading> readings = new ArrayList<>();
  private final Map<Integer, String> end = new HashMap<>();
  private long elements;

  private record Append(String element, long start, Map<Integer, String> read) {}

  /** A load that committed. */
  public record Load(String value, boolean files, boolean wins, long start, long commit) {}

  private record Reading(long snapshot, Map<Integer, String> seen) {}

  private record Event(long commit, String element, String read, Load load) {}

  public static Row row(int key) {
    return Row.of(TABLE, String.format("r%02d", key));
  }

  /** Where tablets begin: every second row has its own. */
  public static List<Bytes> splits() {
    List<Bytes> splits = new ArrayList<>();
    for (int i = 1; i < KEYS; i += 2) {
      splits.add(row(i).key());
    }
    return splits;
  }

  String newElement() {
    return "e" + ++elements;
  }

  /** A transaction is about to commit. */
  void appends(String element, long start, Map<Integer, String> read) {
    appends.add(new Append(element, start, read));
  }

  /** Records that a client got an acknowledgment. */
  void appended(long start, long commit) {
    told.put(start, commit);
  }

  void saw(long snapshot, Map<Integer, String> seen) {
    readings.add(new Reading(snapshot, seen));
  }

  public void loaded(Load load) {
    if (loads.stream().noneMatch(each -> each.value.equals(load.value))) {
      loads.add(load);
    }
  }

  void ended(int key, String value) {
    end.put(key, value);
  }

  public Map<String, Long> counts() {
    Map<String, Long> counts = new LinkedHashMap<>();
    counts.put("appends", (long) told.size());
    counts.put("readings", (long) readings.size());
    long last = told.values().stream().mapToLong(commit -> commit).max().orElse(0);
    counts.put("loads-among-them", loads.stream().filter(load -> load.commit < last).count());
    counts.put("atomic-loads", loads.stream().filter(load -> !load.files).count());
    counts.put("snapshot-loads", loads.stream().filter(load -> load.files).count());
    return counts;
  }

  /**
   * @param commitOf the commit timestamp of a transaction by its start; 0 when it did not commit
   */
  public List<String> judge(LongUnaryOperator commitOf) {
    List<String> wrong = new ArrayList<>();
    for (Reading reading : readings) {
      String value = "";
      long newest = 0;
      for (Load load : loads) {
        if (load.commit <= reading.snapshot && load.commit > newest) {
          newest = load.commit;
          value = load.value;
        }
      }
      for (Map.Entry<Integer, String> each : reading.seen.entrySet()) {
        if (!each.getValue().equals(value)) {
          wrong.add("Snapshot " + reading + " should see '" + value + "'; loads " + loads);
          break;
        }
      }
    }
    told.forEach(
        (start, commit) -> {
          if (commitOf.applyAsLong(start) != commit) {
            wrong.add("The transaction begun at " + start + " was told that it committed.");
          }
        });
    for (int key = 0; key < KEYS; key++) {
      judge(key, commitOf, wrong);
    }
    return wrong;
  }

  private void judge(int key, LongUnaryOperator commitOf, List<String> wrong) {
    List<Event> events = new ArrayList<>();
    for (Append append : appends) {
      String read = append.read.get(key);
      long commit = commitOf.applyAsLong(append.start);
      if (read != null && commit != 0) {
        events.add(new Event(commit, append.element, read, NONE));
      }
    }
    loads.forEach(load -> events.add(new Event(load.commit, "", "", load)));
    events.sort(Comparator.comparingLong(Event::commit));
    String value = "";
    long last = 0;
    for (Event event : events) {
      if (event.load == NONE) {
        if (!event.read.equals(value)) {
          wrong.add("In row " + key + ", " + event + " should have read '" + value + "'.");
          return;
        }
        value = value + "," + event.element;
        last = event.commit;
      } else if (event.load.wins || last < event.load.start) {
        value = event.load.value;
        last = event.commit;
      }
    }
    if (!value.equals(end.get(key))) {
      wrong.add(
          "Row " + key + " holds '" + end.get(key) + "', and should '" + value + "': " + events);
    }
  }

  private static final Load NONE = new Load("", false, false, 0, 0);
}
