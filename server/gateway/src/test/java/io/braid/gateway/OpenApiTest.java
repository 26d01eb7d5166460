package io.braid.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.braid.Setting;
import io.braid.gateway.node.ServerSetting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The documentation says what the code does. */
class OpenApiTest {
  private static final Path DESCRIPTION = Path.of("../../docs/openapi.json");
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  @TempDir Path dir;

  /** After a change on purpose: {@code -Dbraid.rewrite=true} writes it anew. */
  @Test
  void theDescriptionIsWhatTheNodeAnswers() throws IOException {
    try (TestNode node = TestNode.start(dir)) {
      JsonNode answered = node.get("/openapi.json").json();
      if (Boolean.getBoolean("braid.rewrite")) {
        Files.writeString(DESCRIPTION, JSON.writeValueAsString(answered) + "\n");
      }
      assertThat(JSON.readTree(DESCRIPTION.toFile())).isEqualTo(answered);
      answered
          .findValues("$ref")
          .forEach(
              ref ->
                  assertThat(answered.at(ref.asText().substring(1)).isMissingNode())
                      .as(ref.asText())
                      .isFalse());
    }
  }

  @Test
  void everySettingOfAServerStandsInTheDocumentation() throws IOException {
    String page = Files.readString(Path.of("../../docs/configuration.md"));
    for (Setting<?> each : ServerSetting.all()) {
      assertThat(page)
          .contains(
              "| `" + each.key() + "` | " + each.defaultText() + " | " + each.description() + " |");
    }
  }
}
