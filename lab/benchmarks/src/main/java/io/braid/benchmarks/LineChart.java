package io.braid.benchmarks;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A chart of lines through points, as SVG that is legible on light and dark backgrounds. Both axes
 * start at 0.
 *
 * @param lines by the label beside each line
 */
record LineChart(String title, String across, String up, Map<String, List<LineChart.Point>> lines) {
  private static final int WIDTH = 720;
  private static final int HEIGHT = 380;
  private static final int LEFT = 70;
  private static final int RIGHT = 130;
  private static final int TOP = 40;
  private static final int BOTTOM = 50;
  private static final int TICKS = 5;
  private static final List<String> COLOURS =
      List.of("#b03030", "#4878a8", "#2f8f4e", "#a8742a", "#6a4c93");

  record Point(double x, double y) {}

  String svg() {
    double mostX = most(true);
    double mostY = most(false);
    StringBuilder svg = new StringBuilder();
    add(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %1$d %2$d\" width=\"%1$d\""
            + " font-family=\"sans-serif\" font-size=\"12\">\n",
        WIDTH,
        HEIGHT);
    svg.append("<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
    add(svg, "<text x=\"10\" y=\"22\" font-size=\"14\">%s</text>\n", title);
    for (int i = 0; i <= TICKS; i++) {
      double x = x(mostX * i / TICKS, mostX);
      double y = y(mostY * i / TICKS, mostY);
      add(
          svg,
          "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#ddd\"/>\n",
          LEFT,
          y,
          WIDTH - RIGHT,
          y);
      add(
          svg,
          "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
          LEFT - 6,
          y + 4,
          number(mostY * i / TICKS));
      add(
          svg,
          "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
          x,
          HEIGHT - BOTTOM + 18,
          number(mostX * i / TICKS));
    }
    add(
        svg,
        "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
        (LEFT + WIDTH - RIGHT) / 2,
        HEIGHT - 10,
        across);
    add(svg, "<text x=\"%d\" y=\"%d\">%s</text>\n", LEFT, TOP - 6, up);
    int index = 0;
    for (Map.Entry<String, List<Point>> line : lines.entrySet()) {
      String colour = COLOURS.get(index % COLOURS.size());
      StringBuilder points = new StringBuilder();
      for (Point each : line.getValue()) {
        double x = x(each.x, mostX);
        double y = y(each.y, mostY);
        add(points, "%.1f,%.1f ", x, y);
        add(svg, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n", x, y, colour);
      }
      add(
          svg,
          "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>\n",
          points.toString().strip(),
          colour);
      add(
          svg,
          "<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>\n",
          WIDTH - RIGHT + 12,
          TOP + 16 + 18 * index,
          colour,
          line.getKey());
      index++;
    }
    return svg.append("</svg>\n").toString();
  }

  private double most(boolean x) {
    double most =
        lines.values().stream()
            .flatMap(List::stream)
            .mapToDouble(point -> x ? point.x : point.y)
            .max()
            .orElse(1);
    return Math.max(1e-9, most * 1.05);
  }

  private static double x(double value, double most) {
    return LEFT + value / most * (WIDTH - LEFT - RIGHT);
  }

  private static double y(double value, double most) {
    return HEIGHT - BOTTOM - value / most * (HEIGHT - TOP - BOTTOM);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value < 10 ? "%.1f" : "%,.0f", value);
  }

  private static void add(StringBuilder to, String format, Object... values) {
    to.append(String.format(Locale.ROOT, format, values));
  }
}
