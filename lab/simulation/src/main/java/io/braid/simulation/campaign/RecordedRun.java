package io.braid.simulation.campaign;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.braid.simulation.SimulationOptions;
import io.braid.simulation.SimulationReport;
import io.braid.simulation.cluster.Fault;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A run as a line of a file, so that a campaign can be resumed. */
public final class RecordedRun {
  private static final ObjectMapper JSON = new ObjectMapper();

  private RecordedRun() {}

  /** The line of a run. */
  public static String toLine(SimulationReport report) {
    try {
      return JSON.writeValueAsString(report.toObject());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("A report cannot be written as JSON.", e);
    }
  }

  /**
   * The run of a line.
   *
   * @throws IllegalArgumentException when it is no such line, or a torn one
   */
  public static SimulationReport read(String line) {
    try {
      JsonNode run = JSON.readTree(line);
      if (run.has("trace_hash")) {
        return report(run);
      }
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("This is not JSON: " + line, e);
    }
    throw new IllegalArgumentException("This is no run of a campaign: " + line);
  }

  private static SimulationReport report(JsonNode run) {
    SimulationOptions options =
        SimulationOptions.of(run.get("scenario").asText(), run.get("seed").asLong())
            .duration(Duration.ofSeconds(run.get("seconds").asLong()))
            .onePhase(run.get("one_phase").asBoolean());
    Map<String, Long> operations = new LinkedHashMap<>();
    run.get("operations")
        .fields()
        .forEachRemaining(e -> operations.put(e.getKey(), e.getValue().asLong()));
    Map<Fault, Long> faults = new EnumMap<>(Fault.class);
    run.get("faults")
        .fields()
        .forEachRemaining(e -> faults.put(Fault.named(e.getKey()), e.getValue().asLong()));
    return new SimulationReport(
        options,
        seconds(run.get("simulated_s")),
        seconds(run.get("real_s")),
        run.path("steps").asLong(),
        run.get("tablets").asInt(),
        operations,
        faults,
        run.get("settings").asText(),
        run.get("trace_hash").asText(),
        run.get("passed").asBoolean() ? null : run.path("failure").asText(),
        List.of());
  }

  private static Duration seconds(JsonNode value) {
    return Duration.ofMillis(Math.round(value.asDouble() * 1000));
  }
}
