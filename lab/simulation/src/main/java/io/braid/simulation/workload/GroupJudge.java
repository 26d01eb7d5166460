package io.braid.simulation.workload;

import io.braid.simulation.workload.GroupJournal.Deed;
import io.braid.simulation.workload.GroupJournal.End;
import io.braid.simulation.workload.GroupJournal.Look;
import io.braid.simulation.workload.GroupJournal.Shipped;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * Judges a {@link GroupJournal}. The lists at the end show the order in which transactions wrote
 * each row, and which transactions of unknown outcome have committed. From that follows:
 *
 * <ul>
 *   <li>No acknowledged transaction is lost, no refused one is there, and none is there by half.
 *   <li>Transactions are strictly serializable: one order of all of them, in groups and outside,
 *       explains every read. In this order each transaction follows those that had ended when it
 *       began. Within a group it is the order of their positions.
 *   <li>A snapshot from outside shows a prefix of each group's history: all of it once it was
 *       shipped or the group deleted. The snapshot shows as many chips as ever.
 * </ul>
 */
public final class GroupJudge {
  private static final int MOST = 5;

  private final GroupJournal journal;
  private final long chips;
  private final Map<Integer, long[]> lists = new TreeMap<>();
  private final Map<Long, Deed> byNumber = new HashMap<>();
  private final List<Deed> committed = new ArrayList<>();
  private final Map<Long, Integer> places = new HashMap<>();
  private final List<String> wrong = new ArrayList<>();

  private GroupJudge(GroupJournal journal, Look end, long chips) {
    this.journal = journal;
    this.chips = chips;
    end.lists().forEach((key, list) -> lists.put(key, numbers(list)));
    journal.deeds().forEach(deed -> byNumber.put(deed.number, deed));
  }

  /**
   * Returns what is wrong.
   *
   * @param end all rows, when everything has come to rest
   * @param chips how many chips there are
   */
  public static List<String> judge(GroupJournal journal, Look end, long chips) {
    GroupJudge judge = new GroupJudge(journal, end, chips);
    judge.judgeEnd();
    if (judge.wrong.isEmpty()) {
      judge.judgeReads();
      judge.judgeLooks();
    }
    if (judge.wrong.isEmpty()) {
      judge.judgeOrder();
    }
    return judge.wrong.subList(0, Math.min(MOST, judge.wrong.size()));
  }

  static long[] numbers(String list) {
    return list.isEmpty()
        ? new long[0]
        : Arrays.stream(list.split(",")).mapToLong(Long::parseLong).toArray();
  }

  // The rows at the end.

  private void judgeEnd() {
    Map<Integer, Set<Long>> there = new TreeMap<>();
    Set<Long> any = new HashSet<>();
    lists.forEach(
        (key, list) -> {
          Set<Long> members = there.computeIfAbsent(key, each -> new HashSet<>());
          for (long number : list) {
            any.add(number);
            Deed deed = byNumber.get(number);
            if (!members.add(number)) {
              wrong.add(number + " is twice in row " + key + ": " + deed);
            } else if (deed == null || !deed.appended.contains(key)) {
              wrong.add("Nobody appended " + number + " to row " + key + ": " + deed);
            }
          }
        });
    for (Deed deed : journal.deeds()) {
      boolean some = any.contains(deed.number);
      boolean all =
          deed.appended.stream()
              .allMatch(key -> there.getOrDefault(key, Set.of()).contains(deed.number));
      if (some && !all) {
        wrong.add("A transaction is there by half: " + deed);
      } else if (deed.how == End.OK && !all) {
        wrong.add("An acknowledged transaction is lost: " + deed);
      } else if (deed.how == End.FAIL && some) {
        wrong.add("A transaction that failed is there: " + deed);
      }
      if (deed.how == End.OK || some) {
        committed.add(deed);
      }
    }
  }

  private void judgeReads() {
    for (Deed deed : committed) {
      deed.read.forEach(
          (key, list) -> {
            if (!isPrefix(numbers(list), key)) {
              wrong.add("Row " + key + " was never as it was read by " + deed);
            }
          });
    }
  }

  private boolean isPrefix(long[] list, int key) {
    long[] all = list(key);
    return list.length <= all.length && Arrays.equals(list, 0, list.length, all, 0, list.length);
  }

  // The looks from outside.

  private void judgeLooks() {
    for (Look look : journal.looks()) {
      if (look.chips() != chips) {
        wrong.add("A snapshot shows " + look.chips() + " chips instead of " + chips + ".");
      }
      Map<Integer, Integer> lengths = new HashMap<>();
      Set<Long> seen = new HashSet<>();
      look.lists()
          .forEach(
              (key, list) -> {
                long[] numbers = numbers(list);
                lengths.put(key, numbers.length);
                Arrays.stream(numbers).forEach(seen::add);
                if (!isPrefix(numbers, key)) {
                  wrong.add("Row " + key + " was never as a snapshot shows it: " + list);
                }
              });
      judgeLook(look, lengths, seen);
    }
  }

  private void judgeLook(Look look, Map<Integer, Integer> lengths, Set<Long> seen) {
    Map<String, Long> positions = new HashMap<>();
    for (Deed deed : committed) {
      if (seen.contains(deed.number)) {
        positions.merge(deed.group, deed.position, Math::max);
        for (int key : deed.appended) {
          if (place(deed.number, key) >= lengths.getOrDefault(key, 0)) {
            wrong.add("A snapshot shows half of " + deed);
          }
        }
        deed.read.forEach(
            (key, list) -> {
              if (numbers(list).length > lengths.getOrDefault(key, 0)) {
                wrong.add("A snapshot shows " + deed + ", and not what it has read in row " + key);
              }
            });
      }
    }
    for (Deed deed : committed) {
      boolean missing = !deed.appended.isEmpty() && !seen.contains(deed.number);
      if (missing && !deed.group.isEmpty() && deed.position > 0) {
        if (deed.position < positions.getOrDefault(deed.group, 0L)) {
          wrong.add("A snapshot shows what followed in the group, and not " + deed);
        }
        for (Shipped each : journal.shipped()) {
          if (each.group().equals(deed.group)
              && deed.end < each.asked()
              && each.done() < look.start()) {
            wrong.add("A snapshot does not show what was shipped: " + deed);
          }
        }
      } else if (missing && deed.group.isEmpty() && deed.end < look.start()) {
        wrong.add("A snapshot does not show what had committed outside: " + deed);
      }
    }
  }

  private int place(long number, int key) {
    long[] list = list(key);
    for (int i = 0; i < list.length; i++) {
      if (list[i] == number) {
        return i;
      }
    }
    return list.length;
  }

  private long[] list(int key) {
    return Objects.requireNonNull(lists.get(key), "a row that nobody has looked at");
  }

  // The order of all.

  /** Returns the place of a transaction in the order of the committed ones. */
  private int placeOf(long number) {
    return Objects.requireNonNull(places.get(number), "a transaction that has not committed");
  }

  /** Nodes are the transactions, then the instants at which one of them ended. */
  private void judgeOrder() {
    int count = committed.size();
    for (int i = 0; i < count; i++) {
      places.put(committed.get(i).number, i);
    }
    List<List<Integer>> after = new ArrayList<>();
    for (int i = 0; i < 2 * count; i++) {
      after.add(new ArrayList<>());
    }
    for (long[] list : lists.values()) {
      for (int i = 1; i < list.length; i++) {
        after.get(placeOf(list[i - 1])).add(placeOf(list[i]));
      }
    }
    for (int i = 0; i < count; i++) {
      int self = i;
      committed
          .get(i)
          .read
          .forEach(
              (key, list) -> {
                long[] all = list(key);
                int length = numbers(list).length;
                if (length > 0) {
                  after.get(placeOf(all[length - 1])).add(self);
                }
                if (length < all.length && placeOf(all[length]) != self) {
                  after.get(self).add(placeOf(all[length]));
                }
              });
    }
    followPositions(after);
    followTheClock(count, after);
    findCycle(count, after);
  }

  private void followPositions(List<List<Integer>> after) {
    Map<String, List<Deed>> groups = new TreeMap<>();
    for (Deed deed : committed) {
      if (deed.position > 0 && !deed.appended.isEmpty() && !deed.group.isEmpty()) {
        groups.computeIfAbsent(deed.group, each -> new ArrayList<>()).add(deed);
      }
    }
    for (List<Deed> deeds : groups.values()) {
      deeds.sort(Comparator.comparingLong(deed -> deed.position));
      for (int i = 1; i < deeds.size(); i++) {
        if (deeds.get(i).position == deeds.get(i - 1).position) {
          wrong.add("Two transactions at one position: " + deeds.subList(i - 1, i + 1));
        }
        after.get(placeOf(deeds.get(i - 1).number)).add(placeOf(deeds.get(i).number));
      }
    }
  }

  private void followTheClock(int count, List<List<Integer>> after) {
    List<Integer> ends = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      if (committed.get(i).how == End.OK) {
        ends.add(i);
      }
    }
    ends.sort(Comparator.comparingLong(i -> committed.get(i).end));
    List<Integer> starts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      starts.add(i);
    }
    starts.sort(Comparator.comparingLong(i -> committed.get(i).start));
    for (int e = 0; e < ends.size(); e++) {
      after.get(ends.get(e)).add(count + e);
      if (e > 0) {
        after.get(count + e - 1).add(count + e);
      }
    }
    int e = -1;
    for (int start : starts) {
      while (e + 1 < ends.size()
          && committed.get(ends.get(e + 1)).end < committed.get(start).start) {
        e++;
      }
      if (e >= 0) {
        after.get(count + e).add(start);
      }
    }
  }

  private void findCycle(int count, List<List<Integer>> after) {
    int[] before = new int[after.size()];
    after.forEach(each -> each.forEach(next -> before[next]++));
    Deque<Integer> free = new ArrayDeque<>();
    for (int i = 0; i < before.length; i++) {
      if (before[i] == 0) {
        free.add(i);
      }
    }
    int done = 0;
    for (Integer next = free.poll(); next != null; next = free.poll()) {
      done++;
      for (int each : after.get(next)) {
        if (--before[each] == 0) {
          free.add(each);
        }
      }
    }
    if (done < before.length) {
      wrong.add(
          "There is no order of the transactions that explains what they read: "
              + cycle(count, before, after));
    }
  }

  /**
   * Returns some cycle among the deeds that are left. Each of these has a follower that is left, or
   * follows from none.
   */
  private List<String> cycle(int count, int[] before, List<List<Integer>> after) {
    List<List<Integer>> back = new ArrayList<>();
    after.forEach(each -> back.add(new ArrayList<>()));
    for (int i = 0; i < after.size(); i++) {
      if (before[i] > 0) {
        for (int each : after.get(i)) {
          back.get(each).add(i);
        }
      }
    }
    int at = 0;
    while (before[at] == 0) {
      at++;
    }
    List<Integer> path = new ArrayList<>();
    while (!path.contains(at)) {
      path.add(at);
      at = back.get(at).get(0);
    }
    List<String> deeds = new ArrayList<>();
    for (int each : path.subList(path.indexOf(at), path.size())) {
      deeds.add(0, each < count ? committed.get(each).toString() : "(the clock)");
    }
    return deeds;
  }
}
