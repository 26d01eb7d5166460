package io.braid.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The commands that have counterparts of the papers' figures, and the missing parts. */
final class PaperFigures {
  private static final ObjectMapper JSON = new ObjectMapper();

  private PaperFigures() {}

  private static JsonNode all() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(PaperFigures.class.getResourceAsStream("figures.json"))) {
      return JSON.readTree(in);
    }
  }

  /** Returns the named commands, without {@code braid}. */
  static List<String> commands() throws IOException {
    List<String> commands = new ArrayList<>();
    for (JsonNode each : all()) {
      if (each.has("command")) {
        commands.add(each.path("command").asText());
      }
    }
    return commands;
  }

  /** Returns a Markdown table. */
  static String table() throws IOException {
    StringBuilder table = new StringBuilder();
    table.append(
        "| paper | figure | shows | command | goal | missing |\n|---|---|---|---|---|---|\n");
    for (JsonNode each : all()) {
      String command = each.path("command").asText();
      table.append("| ").append(each.path("paper").asText());
      table.append(" | ").append(each.path("figure").asText());
      table.append(" | ").append(each.path("shows").asText());
      table.append(" | ").append(command.isEmpty() ? "**none**" : "`./braid " + command + "`");
      table.append(" | ").append(each.path("goal").asText());
      table.append(" | ").append(each.path("missing").asText()).append(" |\n");
    }
    return table.toString();
  }
}
