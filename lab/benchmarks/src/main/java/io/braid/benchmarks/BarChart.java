package io.braid.benchmarks;

import java.util.List;
import java.util.Locale;

/** A bar chart of ratios with a line at 1, as SVG that is legible on light and dark backgrounds. */
record BarChart(String title, List<BarChart.Bar> bars) {
  private static final int WIDTH = 960;
  private static final int LABELS = 400;
  private static final int VALUES = 190;
  private static final int LINE = 22;
  private static final int TOP = 40;

  /**
   * A bar.
   *
   * @param shown the text beside the ratio
   */
  record Bar(String label, double ratio, String shown) {}

  String svg() {
    double most = Math.max(1.05, bars.stream().mapToDouble(Bar::ratio).max().orElse(1));
    double scale = (WIDTH - LABELS - VALUES) / most;
    int height = TOP + bars.size() * LINE + 12;
    StringBuilder svg = new StringBuilder();
    add(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\""
            + " font-family=\"sans-serif\" font-size=\"12\">\n",
        WIDTH,
        height,
        WIDTH);
    svg.append("<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
    add(svg, "<text x=\"10\" y=\"22\" font-size=\"14\">%s</text>\n", escaped(title));
    int y = TOP;
    for (Bar bar : bars) {
      double length = Math.max(1, bar.ratio * scale);
      add(
          svg,
          "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n",
          LABELS - 8,
          y + 15,
          escaped(shortened(bar.label)));
      add(
          svg,
          "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"#4878a8\"/>\n",
          LABELS,
          y + 3,
          length,
          LINE - 6);
      add(
          svg,
          "<text x=\"%.1f\" y=\"%d\">%s</text>\n",
          LABELS + length + 6,
          y + 15,
          escaped(String.format(Locale.ROOT, "%.3g  (%s)", bar.ratio, bar.shown)));
      y += LINE;
    }
    add(
        svg,
        "<line x1=\"%1$.1f\" y1=\"%2$d\" x2=\"%1$.1f\" y2=\"%3$d\" stroke=\"#b03030\""
            + " stroke-dasharray=\"4 3\"/>\n",
        LABELS + scale,
        TOP - 4,
        y);
    return svg.append("</svg>\n").toString();
  }

  private static void add(StringBuilder to, String format, Object... values) {
    to.append(String.format(Locale.ROOT, format, values));
  }

  private static String shortened(String label) {
    return label.length() <= 62 ? label : label.substring(0, 61) + "…";
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
