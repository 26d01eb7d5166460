package io.braid.lab.campaign;

import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Seeds as text, {@code 1-88,101}: most come one after another. */
final class SeedRanges {
  private static final Pattern RANGE = Pattern.compile("(-?[0-9]{1,19})(?:-(-?[0-9]{1,19}))?");
  private static final int MOST = 10_000_000;

  private SeedRanges() {}

  static String toText(SortedSet<Long> seeds) {
    StringBuilder text = new StringBuilder();
    long from = 0;
    long last = 0;
    for (long seed : seeds) {
      if (text.length() > 0 && seed == last + 1) {
        last = seed;
        continue;
      }
      close(text, from, last);
      text.append(text.length() > 0 ? "," : "").append(seed);
      from = seed;
      last = seed;
    }
    close(text, from, last);
    return text.toString();
  }

  private static void close(StringBuilder text, long from, long last) {
    if (last > from) {
      text.append('-').append(last);
    }
  }

  /**
   * The seeds of a text.
   *
   * @throws IllegalArgumentException when it is none
   */
  static SortedSet<Long> parse(String text) {
    SortedSet<Long> seeds = new TreeSet<>();
    for (String each : text.split(",", -1)) {
      var range = RANGE.matcher(each);
      if (!range.matches()) {
        throw new IllegalArgumentException("'" + each + "' is no range of seeds.");
      }
      long from = Long.parseLong(range.group(1));
      long last = range.group(2) == null ? from : Long.parseLong(range.group(2));
      long more = last - from;
      if (last < from || more < 0 || more > MOST) {
        throw new IllegalArgumentException("'" + each + "' is no range of seeds.");
      }
      for (long i = 0; i <= more; i++) {
        seeds.add(from + i);
      }
    }
    return seeds;
  }
}
