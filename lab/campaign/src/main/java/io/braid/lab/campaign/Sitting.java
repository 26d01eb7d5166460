package io.braid.lab.campaign;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One call of the campaign: what was tested, and on what.
 *
 * @param begun when, in UTC
 * @param code the commit of the sources, if the script that starts Braid knew it
 */
record Sitting(String begun, String code, String java, int cores) {
  private static final String UNKNOWN = "unknown";

  static Sitting now() {
    String code = System.getenv("BRAID_CODE");
    return new Sitting(
        Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
        code == null || code.isBlank() ? UNKNOWN : code.strip(),
        System.getProperty("java.version"),
        Runtime.getRuntime().availableProcessors());
  }

  /** A line of the log. */
  Map<String, Object> toObject() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("sitting", begun);
    all.put("code", code);
    all.put("java", java);
    all.put("cores", cores);
    return all;
  }

  static Sitting read(JsonNode line) {
    return new Sitting(
        line.path("sitting").asText(),
        line.path("code").asText(UNKNOWN),
        line.path("java").asText(),
        line.path("cores").asInt());
  }
}
