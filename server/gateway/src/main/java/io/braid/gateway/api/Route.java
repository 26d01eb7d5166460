package io.braid.gateway.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.braid.gateway.access.Role;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A kind of request, with its handler.
 *
 * @param path with names in braces
 * @param role the role needed on {@code {table}}, or on everything if the path names no table and
 *     the role is {@link Role#ADMIN}; otherwise the handler asks for more
 * @param summary for the description
 * @param query parameters that it takes, each with its meaning
 * @param body name of the schema of its body; "" for none
 */
record Route(
    String method,
    String path,
    Role role,
    String summary,
    List<Parameter> query,
    String body,
    Handler handler) {

  private static final Pattern PART = Pattern.compile("\\{([a-z]+)\\}");

  /** A parameter of the query. */
  record Parameter(String name, String meaning) {}

  /** Answers. */
  interface Handler {
    JsonNode answer(Request request) throws IOException;
  }

  Route {
    query = List.copyOf(query);
  }

  static Route of(String method, String path, Role role, String summary, Handler handler) {
    return new Route(method, path, role, summary, List.of(), "", handler);
  }

  Route takes(String name, String meaning) {
    List<Parameter> more = new ArrayList<>(query);
    more.add(new Parameter(name, meaning));
    return new Route(method, path, role, summary, more, body, handler);
  }

  Route body(String schema) {
    return new Route(method, path, role, summary, query, schema, handler);
  }

  /** The names in its path. */
  List<String> parts() {
    return PART.matcher(path).results().map(part -> part.group(1)).toList();
  }

  Pattern pattern() {
    return Pattern.compile(path.replace(".", "\\.").replaceAll("\\{([a-z]+)\\}", "(?<$1>[^/]+)"));
  }

  /** Returns whether the route changes something, so that the audit log records it. */
  boolean changes() {
    return role != Role.READ;
  }
}
