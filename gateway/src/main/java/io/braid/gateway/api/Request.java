package io.braid.gateway.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import io.braid.gateway.access.Identity;
import io.braid.http.HttpRefusal;
import io.braid.http.Json;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What is asked for, by whom. */
final class Request {
  private final HttpExchange exchange;
  private final Identity identity;
  private final Matcher path;
  private final Map<String, List<String>> query;
  private final int mostBytes;

  Request(HttpExchange exchange, Identity identity, Route route, Matcher path, int mostBytes) {
    this.exchange = exchange;
    this.identity = identity;
    this.path = path;
    this.mostBytes = mostBytes;
    this.query = query(exchange.getRequestURI().getRawQuery());
    Set<String> known =
        route.query().stream().map(Route.Parameter::name).collect(Collectors.toSet());
    for (String name : query.keySet()) {
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
    return decode(path.group(name));
  }

  Optional<String> parameter(String name) {
    return query.getOrDefault(name, List.of()).stream().findFirst();
  }

  List<String> parameters(String name) {
    return query.getOrDefault(name, List.of());
  }

  /**
   * Its body, in which only these fields may stand.
   *
   * @throws HttpRefusal when it is too long, or no JSON object
   */
  ObjectNode body(String... fields) throws IOException {
    String type = exchange.getRequestHeaders().getFirst("Content-Type");
    if (type == null || !type.startsWith("application/json")) {
      throw new HttpRefusal(415, "not json", "Send the header 'Content-Type: application/json'.");
    }
    ObjectNode body = Json.read(exchange.getRequestBody(), mostBytes);
    body.fieldNames()
        .forEachRemaining(
            name -> {
              if (!List.of(fields).contains(name)) {
                throw new IllegalArgumentException(
                    "'"
                        + name
                        + "' means nothing here. There may be: "
                        + String.join(", ", fields)
                        + ".");
              }
            });
    return body;
  }

  private static Map<String, List<String>> query(@Nullable String raw) {
    Map<String, List<String>> query = new LinkedHashMap<>();
    if (raw == null || raw.isEmpty()) {
      return query;
    }
    for (String pair : raw.split("&")) {
      int equals = pair.indexOf('=');
      String name = decode(equals < 0 ? pair : pair.substring(0, equals));
      String value = equals < 0 ? "" : decode(pair.substring(equals + 1).replace("+", "%20"));
      query.computeIfAbsent(name, n -> new ArrayList<>()).add(value);
    }
    return query;
  }

  private static String decode(String escaped) {
    try {
      return URLDecoder.decode(escaped.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("The address is not escaped as URLs are.", e);
    }
  }
}
