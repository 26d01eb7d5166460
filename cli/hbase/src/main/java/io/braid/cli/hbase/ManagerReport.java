package io.braid.cli.hbase;

import io.braid.server.coordinator.ManagerFigure;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** A report, to be printed, of what a transaction manager has done since it became the leader. */
record ManagerReport(Map<ManagerFigure, Long> figures) {
  static ManagerReport of(Map<ManagerFigure, Long> figures) {
    return new ManagerReport(figures);
  }

  private long of(ManagerFigure figure) {
    return figures.getOrDefault(figure, 0L);
  }

  private double averageMicros() {
    return of(ManagerFigure.DECIDING_NANOS) / 1e3 / Math.max(1, of(ManagerFigure.MESSAGES));
  }

  private double longestMicros() {
    return of(ManagerFigure.LONGEST_NANOS) / 1e3;
  }

  Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("event", "figures");
    figures.forEach((figure, value) -> map.put(figure.name().toLowerCase(Locale.ROOT), value));
    map.put("average_message_us", Math.round(averageMicros() * 10) / 10.0);
    return map;
  }

  String toText() {
    return String.format(
        "%,d timestamps; %,d commits granted, refused: %,d conflicts, %,d too old, %,d fenced;"
            + " %,d messages, %.1f us on average, %.0f us at most; %,d connections,"
            + " %,d turned away",
        of(ManagerFigure.TIMESTAMPS),
        of(ManagerFigure.GRANTED),
        of(ManagerFigure.CONFLICTS),
        of(ManagerFigure.TOO_OLD),
        of(ManagerFigure.FENCED),
        of(ManagerFigure.MESSAGES),
        averageMicros(),
        longestMicros(),
        of(ManagerFigure.CONNECTIONS),
        of(ManagerFigure.TURNED_AWAY));
  }

  /** Returns the report in the text format of Prometheus. */
  String toMetrics(boolean leader) {
    StringBuilder page = new StringBuilder(400);
    page.append("# TYPE braid_tm_leader gauge\nbraid_tm_leader ");
    page.append(leader ? 1 : 0).append('\n');
    figures.forEach(
        (figure, value) -> {
          boolean gauge =
              figure == ManagerFigure.CONNECTIONS || figure == ManagerFigure.LONGEST_NANOS;
          String name =
              "braid_tm_" + figure.name().toLowerCase(Locale.ROOT) + (gauge ? "" : "_total");
          page.append("# TYPE ").append(name).append(gauge ? " gauge\n" : " counter\n");
          page.append(name).append(' ').append(value).append('\n');
        });
    return page.toString();
  }
}
