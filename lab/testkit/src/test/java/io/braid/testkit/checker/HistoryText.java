package io.braid.testkit.checker;

import io.braid.testkit.history.HistoryEntry;
import io.braid.testkit.history.Longs;
import io.braid.testkit.history.Op;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Histories that a person can read, one entry in each line: {@code ok 0-10 append x 1, r y [2 3]},
 * with {@code @50-60} behind the times for snapshot and commit timestamps. Processes count up.
 */
final class HistoryText {
  private static final Pattern ENTRY =
      Pattern.compile("(ok|fail|info) +(\\d+)-(\\d+) +(?:@(\\d+)(?:-(\\d+))? +)?(.*)");

  private HistoryText() {}

  static List<HistoryEntry> parse(String text) {
    List<HistoryEntry> entries = new ArrayList<>();
    for (String line : text.strip().split("\n")) {
      entries.add(entry(line.strip(), entries.size()));
    }
    return entries;
  }

  private static HistoryEntry entry(String line, int process) {
    Matcher parts = ENTRY.matcher(line);
    if (!parts.matches()) {
      throw new IllegalArgumentException(line);
    }
    List<Op> ops = Arrays.stream(parts.group(6).split(", *")).map(HistoryText::op).toList();
    long start = Long.parseLong(parts.group(2));
    long end = Long.parseLong(parts.group(3));
    HistoryEntry entry =
        switch (parts.group(1)) {
          case "ok" -> HistoryEntry.ok(process, start, end, ops);
          case "fail" -> HistoryEntry.fail(process, start, end, ops, null);
          default -> HistoryEntry.info(process, start, end, ops, null);
        };
    if (parts.group(4) == null) {
      return entry;
    }
    String commit = parts.group(5) == null ? parts.group(4) : parts.group(5);
    return entry.at(Long.parseLong(parts.group(4)), Long.parseLong(commit));
  }

  private static Op op(String text) {
    String[] words = text.strip().split(" +", 2);
    String[] arguments = words[1].split(" +");
    return switch (words[0]) {
      case "append" -> new Op.Append(arguments[0], Long.parseLong(arguments[1]));
      case "r" -> new Op.Read(arguments[0], numbers(text));
      case "open" -> new Op.Open(balances(arguments));
      case "balances" -> new Op.Balances(balances(arguments));
      case "transfer" -> new Op.Transfer(arguments[0], arguments[1], Long.parseLong(arguments[2]));
      case "insert" -> new Op.Insert(Long.parseLong(arguments[0]));
      case "delete" -> new Op.Delete(Long.parseLong(arguments[0]));
      case "range" ->
          new Op.Range(Long.parseLong(arguments[0]), Long.parseLong(arguments[1]), numbers(text));
      default -> throw new IllegalArgumentException(text);
    };
  }

  /** The numbers in brackets. */
  private static Longs numbers(String text) {
    String inside = text.substring(text.indexOf('[') + 1, text.indexOf(']')).strip();
    return inside.isEmpty()
        ? Longs.EMPTY
        : Longs.of(Arrays.stream(inside.split(" +")).mapToLong(Long::parseLong).toArray());
  }

  private static Map<String, Long> balances(String[] arguments) {
    Map<String, Long> balances = new TreeMap<>();
    for (String argument : arguments) {
      String[] parts = argument.split("=");
      balances.put(parts[0], Long.parseLong(parts[1]));
    }
    return balances;
  }
}
