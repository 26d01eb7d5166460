package io.braid.cli.hbase;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.braid.core.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Commits of each second, and what happened when: the counterpart of figure 10 of the Percolator
 * paper.
 */
final class Timeline {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 320;
  private static final int LEFT = 60;
  private static final int FOOT = 30;
  private static final int HEAD = 90;

  private record Mark(double second, String text) {}

  private final List<Integer> commits = new ArrayList<>();
  private final List<Mark> marks = new ArrayList<>();
  private long began = -1;

  /** Begins the timeline. Earlier commits do not count. */
  synchronized void begin() {
    began = System.nanoTime();
    commits.clear();
  }

  private double seconds() {
    return (System.nanoTime() - began) / 1e9;
  }

  synchronized void commit() {
    if (began >= 0) {
      int second = (int) seconds();
      while (commits.size() <= second) {
        commits.add(0);
      }
      commits.set(second, commits.get(second) + 1);
    }
  }

  synchronized void mark(String text) {
    marks.add(new Mark(seconds(), text));
  }

  synchronized int marks() {
    return marks.size();
  }

  /** The most seconds in a row without a commit. */
  synchronized int longestSilence() {
    int longest = 0;
    int now = 0;
    for (int each : commits) {
      now = each == 0 ? now + 1 : 0;
      longest = Math.max(longest, now);
    }
    return longest;
  }

  synchronized void write(@Nullable Path lines, @Nullable Path plot) {
    try {
      if (lines != null) {
        Files.write(lines, lines());
      }
      if (plot != null) {
        Files.writeString(plot, svg());
      }
    } catch (IOException e) {
      throw new StoreException("The timeline cannot be written: " + e, e);
    }
  }

  private List<String> lines() throws IOException {
    ObjectMapper json = new ObjectMapper();
    List<String> lines = new ArrayList<>();
    for (int second = 0; second < commits.size(); second++) {
      lines.add(json.writeValueAsString(Map.of("second", second, "commits", commits.get(second))));
    }
    for (Mark mark : marks) {
      double at = Math.round(mark.second * 10) / 10.0;
      lines.add(json.writeValueAsString(Map.of("second", at, "fault", mark.text)));
    }
    return lines;
  }

  private String svg() {
    int most = Math.max(1, commits.stream().mapToInt(each -> each).max().orElse(1));
    double perSecond = (WIDTH - LEFT - 10.0) / Math.max(1, commits.size() - 1);
    int foot = HEIGHT - FOOT;
    double perCommit = (foot - HEAD) / (double) most;
    StringBuilder points = new StringBuilder();
    for (int second = 0; second < commits.size(); second++) {
      points.append(
          format("%.1f,%.1f ", LEFT + second * perSecond, foot - commits.get(second) * perCommit));
    }
    StringBuilder svg = new StringBuilder();
    svg.append(
        format(
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' font-family='sans-serif'"
                + " font-size='11'>%n<rect width='100%%' height='100%%' fill='white'/>%n",
            WIDTH, HEIGHT));
    for (Mark mark : marks) {
      double x = LEFT + mark.second * perSecond;
      svg.append(
          format(
              "<line x1='%1$.1f' y1='%2$d' x2='%1$.1f' y2='%3$d' stroke='#c33'"
                  + " stroke-dasharray='3 3'/><text x='%1$.1f' y='%4$d' fill='#c33'"
                  + " transform='rotate(-35 %1$.1f %4$d)'>%5$s</text>%n",
              x, HEAD, foot, HEAD - 4, mark.text.replace("&", "&amp;").replace("<", "&lt;")));
    }
    svg.append(
        format(
            "<polyline fill='none' stroke='#246' stroke-width='1.5' points='%s'/>%n"
                + "<line x1='%2$d' y1='%3$d' x2='%4$d' y2='%3$d' stroke='black'/>%n"
                + "<line x1='%2$d' y1='%5$d' x2='%2$d' y2='%3$d' stroke='black'/>%n"
                + "<text x='4' y='%6$d'>%7$d</text><text x='4' y='%3$d'>0</text>%n"
                + "<text x='%2$d' y='%8$d'>commits a second, over %9$d seconds</text>%n</svg>%n",
            points, LEFT, foot, WIDTH - 10, HEAD, HEAD + 8, most, HEIGHT - 8, commits.size()));
    return svg.toString();
  }

  private static String format(String text, Object... values) {
    return String.format(Locale.ROOT, text, values);
  }
}
