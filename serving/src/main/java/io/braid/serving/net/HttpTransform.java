package io.braid.serving.net;

import com.sun.net.httpserver.HttpExchange;
import io.braid.core.failure.ErrorCode;
import io.braid.http.HttpRefusal;
import io.braid.serving.transform.Part;
import io.braid.serving.transform.Transform;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The transform that an address asks for: {@code ?transform=list&from=0&count=10}. */
final class HttpTransform {
  private static final Pattern NAME = Pattern.compile("(?:^|&)transform=([^&]*)(?:&|$)");
  private static final Pattern FROM = Pattern.compile("(?:^|&)from=([^&]*)(?:&|$)");
  private static final Pattern COUNT = Pattern.compile("(?:^|&)count=([^&]*)(?:&|$)");

  private static final Set<String> KNOWN = Set.of("transform", "from", "count");

  private HttpTransform() {}

  /**
   * Refuses parameters that mean nothing at an address: a mistyped one would be passed over.
   *
   * @throws HttpRefusal when there is one
   */
  static void requireKnown(HttpExchange exchange) {
    String query = exchange.getRequestURI().getRawQuery();
    boolean key = HttpReads.path(exchange).contains("/keys/");
    for (String each : query == null ? new String[0] : query.split("&")) {
      String name = each.split("=", 2)[0];
      if (!key || !KNOWN.contains(name)) {
        throw new HttpRefusal(
            400,
            ErrorCode.BAD_REQUEST.word(),
            "There is no parameter '" + name + "' at this address.");
      }
    }
  }

  /** None when a value is asked for, or given, as it is. */
  static Optional<Transform> of(HttpExchange exchange) {
    return word(exchange, NAME).map(Transform::named);
  }

  /** The part of a value that is asked for: all of it unless the address says otherwise. */
  static Optional<Part> part(HttpExchange exchange) {
    return of(exchange)
        .map(
            transform ->
                new Part(
                    transform,
                    number(exchange, FROM).orElse(0),
                    number(exchange, COUNT).orElse(Integer.MAX_VALUE)));
  }

  private static Optional<Integer> number(HttpExchange exchange, Pattern pattern) {
    return word(exchange, pattern)
        .map(
            text -> {
              if (!text.matches("[0-9]{1,9}")) {
                throw new IllegalArgumentException(
                    "'" + text + "' is no number of 'from' or 'count': it has one to nine digits.");
              }
              return Integer.parseInt(text);
            });
  }

  private static Optional<String> word(HttpExchange exchange, Pattern pattern) {
    String query = exchange.getRequestURI().getRawQuery();
    Matcher matcher = pattern.matcher(query == null ? "" : query);
    return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
  }
}
