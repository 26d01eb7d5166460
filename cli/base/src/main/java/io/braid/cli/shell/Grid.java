package io.braid.cli.shell;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A table drawn with lines; its first line is the header. */
final class Grid {
  private static final int LEAST = 6;
  private static final String MORE = "…";

  private Grid() {}

  /** The table, if it fits. */
  static Optional<String> drawn(List<List<String>> lines, int room) {
    int[] widths = widths(lines);
    return total(widths) > room ? Optional.empty() : Optional.of(draw(lines, widths));
  }

  /** The table, the widest columns cut until it fits. */
  static String cut(List<List<String>> lines, int room) {
    return draw(lines, narrowed(lines, room));
  }

  /** The table, what does not fit in a line going on in the next one. */
  static String wrapped(List<List<String>> lines, int room) {
    int[] widths = narrowed(lines, room);
    List<List<String>> all = new ArrayList<>();
    for (List<String> line : lines) {
      List<String> rest = line;
      while (rest.stream().anyMatch(cell -> !cell.isEmpty()) || rest == line) {
        List<String> now = new ArrayList<>();
        List<String> later = new ArrayList<>();
        for (int i = 0; i < widths.length; i++) {
          int end = end(rest.get(i), widths[i]);
          now.add(rest.get(i).substring(0, end).stripTrailing());
          later.add(rest.get(i).substring(end).stripLeading());
        }
        all.add(now);
        rest = later;
      }
    }
    return draw(all, widths);
  }

  /** Where a text is broken: behind the last blank that fits, if there is one. */
  private static int end(String text, int width) {
    if (length(text) <= width) {
      return text.length();
    }
    int most = text.offsetByCodePoints(0, width);
    int blank = text.lastIndexOf(' ', most);
    return blank > 0 ? blank : most;
  }

  private static int[] narrowed(List<List<String>> lines, int room) {
    int[] widths = widths(lines);
    while (total(widths) > room) {
      int widest = 0;
      for (int i = 1; i < widths.length; i++) {
        widest = widths[i] > widths[widest] ? i : widest;
      }
      if (widths[widest] <= LEAST) {
        break;
      }
      widths[widest] = Math.max(LEAST, widths[widest] - 1);
    }
    return widths;
  }

  private static int[] widths(List<List<String>> lines) {
    int[] widths = new int[lines.get(0).size()];
    for (List<String> line : lines) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], length(line.get(i)));
      }
    }
    return widths;
  }

  private static int total(int[] widths) {
    return Arrays.stream(widths).sum() + 3 * widths.length + 1;
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }

  private static String draw(List<List<String>> lines, int[] widths) {
    StringBuilder drawn = new StringBuilder(rule(widths, "┌", "┬", "┐"));
    for (int n = 0; n < lines.size(); n++) {
      for (int i = 0; i < widths.length; i++) {
        drawn.append("│ ").append(padded(lines.get(n).get(i), widths[i])).append(' ');
      }
      drawn.append("│").append(System.lineSeparator());
      if (n == 0) {
        drawn.append(rule(widths, "├", "┼", "┤"));
      }
    }
    return drawn.append(rule(widths, "└", "┴", "┘")).toString();
  }

  private static String padded(String text, int width) {
    int length = length(text);
    return length > width
        ? text.substring(0, text.offsetByCodePoints(0, width - 1)) + MORE
        : text + " ".repeat(width - length);
  }

  private static String rule(int[] widths, String left, String middle, String right) {
    StringBuilder rule = new StringBuilder(left);
    for (int i = 0; i < widths.length; i++) {
      rule.append(i == 0 ? "" : middle).append("─".repeat(widths[i] + 2));
    }
    return rule.append(right).append(System.lineSeparator()).toString();
  }
}
