package io.braid.gateway.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.http.Escapes;
import io.braid.http.HttpCall;
import io.braid.http.HttpRefusal;
import io.braid.http.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;

/** The parts of HTTP requests. */
final class HttpRequests {
  private static final int SHORT = 4096;

  private HttpRequests() {}

  /**
   * Splits a request into its parts; its body is read on demand.
   *
   * @param path that has matched the route
   */
  static Request.Parts parts(HttpCall call, Route route, Matcher path, int mostBytes) {
    Map<String, String> parts = new LinkedHashMap<>();
    route.parts().forEach(name -> parts.put(name, Escapes.decode(path.group(name))));
    return new Request.Parts(parts, query(call.query()), new Body(call, mostBytes));
  }

  private record Body(HttpCall call, int mostBytes) implements Request.Body {
    @Override
    public ObjectNode read() throws IOException {
      String type = call.header("Content-Type");
      if (type == null || !type.startsWith("application/json")) {
        throw new HttpRefusal(415, "not json", "Send the header 'Content-Type: application/json'.");
      }
      return Json.read(call.body(), mostBytes);
    }

    @Override
    public void requireNone() throws IOException {
      // Clients that send an object with every request may leave it empty.
      if (!Json.read(call.body(), SHORT).isEmpty()) {
        throw new HttpRefusal(
            400, "no body", "No body is taken here: what it says would be passed over.");
      }
    }
  }

  private static Map<String, List<String>> query(String raw) {
    Map<String, List<String>> query = new LinkedHashMap<>();
    if (raw.isEmpty()) {
      return query;
    }
    for (String pair : raw.split("&")) {
      int equals = pair.indexOf('=');
      String name = Escapes.decode(equals < 0 ? pair : pair.substring(0, equals));
      String value =
          equals < 0 ? "" : Escapes.decode(pair.substring(equals + 1).replace("+", "%20"));
      query.computeIfAbsent(name, n -> new ArrayList<>()).add(value);
    }
    return query;
  }
}
