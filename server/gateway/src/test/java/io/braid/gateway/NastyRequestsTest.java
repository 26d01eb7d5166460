package io.braid.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.gateway.TestNode.Answer;
import io.braid.testkit.hostile.NastyValues;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Faults 58 and 73: nasty values in every parameter and at every place of every body that the
 * server describes, found from its description. Each is answered with what is wrong, or done; what
 * was not named stays as it is.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NastyRequestsTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Of all requests in percent: {@code -Dbraid.nasty=100} asks all of them. */
  private static final int SHARE = Integer.getInteger("braid.nasty", 30);

  private static final Pattern JAVA =
      Pattern.compile("Exception|io\\.braid|java\\.|com\\.fasterxml");
  private static final String KEPT = "/v1/tables/keep/rows";

  @TempDir static Path dir;
  private TestNode node;
  private JsonNode api;
  private final List<String> wrong = new ArrayList<>();
  private final Random random = new Random(Long.getLong("braid.seed", 1));
  private int asked;

  @BeforeAll
  void start() throws IOException {
    Files.createDirectories(dir.resolve("inputs"));
    Files.writeString(dir.resolve("inputs/in.csv"), "id,q\n1,a\n");
    node =
        TestNode.start(
            dir,
            "server.inputs",
            dir.resolve("inputs").toString(),
            "server.jobs",
            dir.resolve("jobs").toString(),
            "server.lease",
            "1 s");
    node.put("/v1/tables/t", "{'families':['f']}");
    node.put("/v1/tables/keep", "{'families':['f'],'protocol':'omid'}");
    for (int i = 0; i < 3; i++) {
      node.post(
          "/v1/transactions/run",
          "{'operations':[{'op':'set','table':'keep','row':'" + i + "','columns':{'f:q':'v'}}]}");
    }
    api = node.get("/openapi.json").json();
  }

  @AfterAll
  void end() {
    node.close();
  }

  @Test
  void everyParameterAndBody() {
    JsonNode kept = node.get(KEPT).json().path("rows");
    api.path("paths")
        .fields()
        .forEachRemaining(
            path ->
                path.getValue()
                    .fields()
                    .forEachRemaining(
                        each -> {
                          String verb = each.getKey().toUpperCase(Locale.ROOT);
                          parameters(verb, path.getKey(), each.getValue());
                          bodies(verb, path.getKey(), each.getValue());
                          assertThat(node.get(KEPT).json().path("rows"))
                              .as(verb + " " + path.getKey())
                              .isEqualTo(kept);
                        }));
    assertThat(wrong).isEmpty();
    assertThat(asked).isGreaterThan(2_000);
    assertThat(node.get("/readyz").status()).isEqualTo(200);
  }

  private void parameters(String verb, String path, JsonNode route) {
    String body = sample(route).map(JsonNode::toString).orElse("");
    for (JsonNode each : route.path("parameters")) {
      String name = each.path("name").asText();
      for (String nasty : NastyValues.texts()) {
        String value = encoded(nasty);
        if (value.length() > 8_000) {
          value = value.substring(0, 8_000);
        }
        String address =
            each.path("in").asText().equals("path")
                ? filled(path.replace("{" + name + "}", value))
                : filled(path) + "?" + name + "=" + value;
        ask(verb, address, body);
      }
    }
  }

  private void bodies(String verb, String path, JsonNode route) {
    sample(route)
        .ifPresent(
            sample -> {
              for (JsonPointer place : places(sample)) {
                for (JsonNode nasty : nodes()) {
                  ask(verb, filled(path), with(sample, place, nasty).toString());
                }
              }
            });
  }

  private void ask(String verb, String address, String body) {
    if (random.nextInt(100) >= SHARE) {
      return;
    }
    Answer answer = node.ask(verb, address, body.replace("'", "\\u0027"));
    asked++;
    if (!makesSense(answer)) {
      wrong.add(verb + " " + shortened(address) + " " + shortened(body) + ": " + answer);
    }
  }

  private static boolean makesSense(Answer answer) {
    if (answer.status() == 500 || answer.status() == 501 || answer.status() == 502) {
      return false;
    }
    if (answer.status() < 400) {
      return true;
    }
    JsonNode told = answer.json();
    String message = told.path("message").asText();
    return !told.path("error").asText().isBlank()
        && !message.isBlank()
        && !JAVA.matcher(message).find();
  }

  private static String shortened(String text) {
    return text.length() > 300 ? text.substring(0, 300) + "..." : text;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** The path of something that may be there. */
  private static String filled(String path) {
    return path.replace("{table}", "t").replaceAll("\\{[a-z]+}", "x");
  }

  // --- bodies that make sense, from their description ------------------------------------------

  private Optional<JsonNode> sample(JsonNode route) {
    JsonNode schema =
        route.path("requestBody").path("content").path("application/json").path("schema");
    return schema.isMissingNode() ? Optional.empty() : Optional.of(sample("", schema));
  }

  private JsonNode sample(String name, JsonNode schema) {
    if (schema.has("$ref")) {
      return sample(name, api.at(schema.path("$ref").asText().substring(1)));
    }
    if (schema.has("oneOf")) {
      return sample(name, schema.path("oneOf").get(name.equals("columns") ? 1 : 0));
    }
    if (schema.has("enum")) {
      return schema.path("enum").get(name.equals("op") ? 2 : 0);
    }
    return switch (schema.path("type").asText()) {
      case "object" -> object(name, schema);
      case "array" -> JSON.createArrayNode().add(sample(name, schema.path("items")));
      case "boolean" -> JSON.getNodeFactory().booleanNode(false);
      case "integer" -> JSON.getNodeFactory().numberNode(1);
      default -> JSON.getNodeFactory().textNode(TEXTS.getOrDefault(name, "x"));
    };
  }

  private static final Map<String, String> TEXTS =
      Map.of("table", "t", "families", "f", "lease", "1 s", "files", "in.csv", "after", "0");

  private JsonNode object(String name, JsonNode schema) {
    ObjectNode object = JSON.createObjectNode();
    schema
        .path("properties")
        .fields()
        .forEachRemaining(
            each -> object.set(each.getKey(), sample(each.getKey(), each.getValue())));
    if (schema.path("additionalProperties").isObject()) {
      object.set("f:q", sample("", schema.path("additionalProperties")));
    }
    if (object.has("op")) {
      object.retain("op", "table", "row", "columns"); // those of 'set'
    }
    if (name.equals("mapping")) {
      return JSON.createObjectNode().set("key", JSON.createArrayNode().add("id"));
    }
    return object;
  }

  private static List<JsonPointer> places(JsonNode body) {
    List<JsonPointer> all = new ArrayList<>(List.of(JsonPointer.empty()));
    if (body instanceof ObjectNode object) {
      object
          .fieldNames()
          .forEachRemaining(
              name -> under(JsonPointer.empty().appendProperty(name), body.path(name), all));
    } else if (body instanceof ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        under(JsonPointer.empty().appendIndex(i), array.get(i), all);
      }
    }
    return all;
  }

  private static void under(JsonPointer here, JsonNode node, List<JsonPointer> all) {
    places(node).forEach(each -> all.add(here.append(each)));
  }

  private static List<JsonNode> nodes() {
    List<JsonNode> all = new ArrayList<>();
    NastyValues.texts().forEach(text -> all.add(JSON.getNodeFactory().textNode(text)));
    NastyValues.numbers().forEach(number -> all.add(JSON.getNodeFactory().numberNode(number)));
    for (String text : NastyValues.json()) {
      try {
        all.add(JSON.readTree(text));
      } catch (IOException e) {
        throw new AssertionError(text, e);
      }
    }
    return all;
  }

  private static JsonNode with(JsonNode body, JsonPointer place, JsonNode value) {
    if (place.matches()) {
      return value;
    }
    JsonNode copy = body.deepCopy();
    JsonNode parent = copy.at(place.head());
    if (parent instanceof ObjectNode object) {
      object.set(place.last().getMatchingProperty(), value);
    } else {
      ((ArrayNode) parent).set(place.last().getMatchingIndex(), value);
    }
    return copy;
  }
}
