package io.braid.gateway.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.gateway.access.Identity;
import io.braid.http.HttpRefusal;
import io.braid.http.Json;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** A request with its caller, independent of the way into the node. */
final class Request {
  private final Identity identity;
  private final Parts parts;
  private final ObjectNode body;

  /** Where a body comes from. */
  interface Body {
    /**
     * @throws HttpRefusal when it is too long, or no JSON object
     */
    ObjectNode read() throws IOException;

    /**
     * For a route that takes none.
     *
     * @throws HttpRefusal when there is one
     */
    default void requireNone() throws IOException {}
  }

  /**
   * The parts of a request.
   *
   * @param path the named parts of its path
   */
  record Parts(Map<String, String> path, Map<String, List<String>> query, Body body) {}

  /**
   * Takes what the route declares, and refuses all else.
   *
   * @throws HttpRefusal when there is a body that the route does not take
   * @throws IllegalArgumentException when something in it, or in the query, means nothing there
   */
  Request(Identity identity, Route route, Parts parts) throws IOException {
    this.identity = identity;
    this.parts = parts;
    requireKnownParameters(route, parts);
    if (route.body().isEmpty()) {
      parts.body().requireNone();
      this.body = Json.object();
    } else {
      this.body = BodyShape.checked(route.body(), parts.body().read());
    }
  }

  private static void requireKnownParameters(Route route, Parts parts) {
    Set<String> known =
        route.query().stream().map(Route.Parameter::name).collect(Collectors.toSet());
    for (String name : parts.query().keySet()) {
      if (!known.contains(name)) {
        throw new IllegalArgumentException(
            "There is no parameter '" + name + "' here. There are: " + known + ".");
      }
    }
  }

  Identity identity() {
    return identity;
  }

  /** A part of the path. */
  String part(String name) {
    return parts.path().getOrDefault(name, "");
  }

  Optional<String> parameter(String name) {
    List<String> all = parameters(name);
    if (all.size() > 1) {
      throw new IllegalArgumentException("Parameter '" + name + "' comes twice.");
    }
    return all.stream().findFirst();
  }

  List<String> parameters(String name) {
    return parts.query().getOrDefault(name, List.of());
  }

  /** Its body, as its route declares it; empty where there is none. */
  ObjectNode body() {
    return body;
  }
}
