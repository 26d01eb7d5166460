package io.braid.serving.net;

import io.braid.core.failure.ErrorCode;
import io.braid.http.HttpCall;
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
  static void requireKnown(HttpCall call) {
    String query = call.query();
    boolean key = call.path().contains("/keys/");
    for (String each : query.isEmpty() ? new String[0] : query.split("&")) {
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
  static Optional<Transform> of(HttpCall call) {
    return word(call, NAME).map(Transform::named);
  }

  /** The part of a value that is asked for: all of it unless the address says otherwise. */
  static Optional<Part> part(HttpCall call) {
    return of(call)
        .map(
            transform ->
                new Part(
                    transform,
                    number(call, FROM).orElse(0),
                    number(call, COUNT).orElse(Integer.MAX_VALUE)));
  }

  private static Optional<Integer> number(HttpCall call, Pattern pattern) {
    return word(call, pattern)
        .map(
            text -> {
              if (!text.matches("[0-9]{1,9}")) {
                throw new IllegalArgumentException(
                    "'" + text + "' is no number of 'from' or 'count': it has one to nine digits.");
              }
              return Integer.parseInt(text);
            });
  }

  private static Optional<String> word(HttpCall call, Pattern pattern) {
    Matcher matcher = pattern.matcher(call.query());
    return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
  }
}
