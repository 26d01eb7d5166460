package io.braid.lab.campaign;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of one drill of real processes.
 *
 * @param seconds how long the drill took
 * @param counts the counts of the commands, by their own names
 * @param commands the commands that were called
 * @param failure what was wrong; null if nothing was
 */
record RealRun(
    RealPart part,
    long seed,
    double seconds,
    Map<String, Long> counts,
    List<String> commands,
    @Nullable String failure) {

  boolean passed() {
    return failure == null;
  }

  /** All commands, as they are typed. */
  String replay() {
    return String.join(" && ", commands);
  }

  /** A line of the log. */
  Map<String, Object> toObject() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("part", part.name());
    all.put("seed", seed);
    all.put("real_s", seconds);
    all.put("counts", counts);
    all.put("commands", commands);
    all.put("passed", passed());
    if (failure != null) {
      all.put("failure", failure);
    }
    return all;
  }

  /**
   * Reads it back.
   *
   * @throws IllegalArgumentException when it is something else
   */
  static RealRun read(JsonNode line) {
    Map<String, Long> counts = new LinkedHashMap<>();
    line.path("counts")
        .fields()
        .forEachRemaining(e -> counts.put(e.getKey(), e.getValue().asLong()));
    List<String> commands = new ArrayList<>();
    line.path("commands").forEach(each -> commands.add(each.asText()));
    return new RealRun(
        RealPart.valueOf(line.path("part").asText()),
        line.path("seed").asLong(),
        line.path("real_s").asDouble(),
        counts,
        commands,
        line.path("passed").asBoolean() ? null : line.path("failure").asText());
  }
}
