package io.braid.groups.log;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The files of a log, recognized by their names; in the order in which lanes wrote them. */
final class Segments {
  private static final Pattern NAME = Pattern.compile("lane-(\\d{1,4})-(\\d{1,18})\\.log");

  private Segments() {}

  /**
   * A file of a lane.
   *
   * @param last whether its lane has written none after it
   */
  record SegmentFile(String name, int lane, long number, boolean last) {}

  static String name(int lane, long number) {
    return "lane-" + lane + "-" + number + ".log";
  }

  static boolean isName(String name) {
    return NAME.matcher(name).matches();
  }

  static List<SegmentFile> among(List<String> names) {
    List<SegmentFile> found = new ArrayList<>();
    Map<Integer, Long> last = new HashMap<>();
    for (String each : names) {
      Matcher name = NAME.matcher(each);
      if (name.matches()) {
        int lane = Integer.parseInt(name.group(1));
        long number = Long.parseLong(name.group(2));
        last.merge(lane, number, Math::max);
        found.add(new SegmentFile(each, lane, number, false));
      }
    }
    return found.stream()
        .map(
            f ->
                new SegmentFile(
                    f.name, f.lane, f.number, f.number == last.getOrDefault(f.lane, 0L)))
        .sorted(Comparator.comparingInt(SegmentFile::lane).thenComparingLong(SegmentFile::number))
        .toList();
  }
}
