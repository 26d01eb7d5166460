package io.braid.gateway.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.http.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The description of the gateway in OpenAPI 3. Addresses come from the routes that answer them, so
 * that both always agree. The shapes of bodies are in a file.
 */
final class OpenApi {
  private static final Pattern PART = Pattern.compile("([a-z]+)/\\{([a-z]+)\\}");
  private static final List<String> REFUSALS =
      List.of(
          "400", "401", "403", "404", "409", "410", "412", "413", "415", "423", "429", "503",
          "504");

  /**
   * The shapes of parameters by name, or, where names are not enough, by name and the preceding
   * part.
   */
  private static final ObjectNode SHAPES = resource("parameters.json");

  private static final ObjectNode COMPONENTS = resource("components.json");

  private OpenApi() {}

  /** The shapes of bodies, by their names. */
  static JsonNode shapes() {
    return COMPONENTS.path("schemas");
  }

  static ObjectNode describe(List<Route> routes) {
    ObjectNode description = Json.object().put("openapi", "3.1.0");
    description
        .putObject("info")
        .put("title", "Braid")
        .put("version", "1")
        .put("description", "Transactions over a key-value store. See docs/server.md.");
    ObjectNode paths = description.putObject("paths");
    for (Route route : routes) {
      paths
          .withObjectProperty(route.path())
          .set(route.method().toLowerCase(Locale.ROOT), operation(route));
    }
    description.set("components", COMPONENTS.deepCopy());
    ArrayNode security = description.putArray("security");
    security.addObject().putArray("token");
    // A certificate may identify the caller, and a node without identities identifies no callers.
    security.addObject();
    return description;
  }

  private static ObjectNode operation(Route route) {
    ObjectNode operation = Json.object().put("summary", route.summary());
    operation.put("description", "Needs the role " + route.role().word() + ".");
    ArrayNode parameters = operation.putArray("parameters");
    Matcher parts = PART.matcher(route.path());
    while (parts.find()) {
      String name = parts.group(2);
      parameter(parameters, name, "path", "")
          .put("required", true)
          .set("schema", shape(parts.group(1) + "/" + name, name));
    }
    route
        .query()
        .forEach(
            each ->
                parameter(parameters, each.name(), "query", each.meaning())
                    .set("schema", shape(each.name())));
    if (!route.body().isEmpty()) {
      json(operation.putObject("requestBody").put("required", true), route.body());
    }
    ObjectNode responses = operation.putObject("responses");
    json(responses.putObject("200").put("description", "Done."), "Answer");
    for (String status : REFUSALS) {
      responses.putObject(status).put("$ref", "#/components/responses/" + status);
    }
    return operation;
  }

  private static ObjectNode parameter(ArrayNode to, String name, String in, String meaning) {
    ObjectNode parameter = to.addObject().put("name", name).put("in", in);
    if (!meaning.isEmpty()) {
      parameter.put("description", meaning);
    }
    return parameter;
  }

  /** Returns the shape of the first of these names that has one. */
  private static JsonNode shape(String... names) {
    for (String each : names) {
      if (SHAPES.has(each)) {
        return SHAPES.get(each).deepCopy();
      }
    }
    return Json.object().put("type", "string");
  }

  private static void json(ObjectNode to, String schema) {
    to.putObject("content")
        .putObject("application/json")
        .putObject("schema")
        .put("$ref", "#/components/schemas/" + schema);
  }

  private static ObjectNode resource(String name) {
    try (InputStream in = Objects.requireNonNull(OpenApi.class.getResourceAsStream(name))) {
      return Json.read(in);
    } catch (IOException e) {
      throw new UncheckedIOException("A file of the gateway cannot be read.", e);
    }
  }
}
