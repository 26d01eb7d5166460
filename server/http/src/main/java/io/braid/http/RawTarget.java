package io.braid.http;

import com.linecorp.armeria.common.RequestTarget;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Addresses as clients wrote them. The library refuses some that are right here, since a key of a
 * row may be any text: those with {@code ..}, {@code ;} or escaped control characters. Such an
 * address passes through the library in a wrapping.
 */
final class RawTarget {
  private static final String WRAPPED = "/-raw-/";
  private static final String PLAIN = "/_~:=?&,+-";

  private RawTarget() {}

  /**
   * @param given with a character for each byte that the client sent
   */
  static String wrap(String given) {
    if (isPlain(given) && !given.startsWith(WRAPPED)) {
      return given;
    }
    String target = escaped(given);
    boolean passes =
        !target.startsWith(WRAPPED)
            && (target.equals("*") || RequestTarget.forServer(target) != null);
    return passes
        ? target
        : WRAPPED
            + Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(target.getBytes(StandardCharsets.UTF_8));
  }

  /** Escapes the bytes of text that the client did not escape. */
  private static String escaped(String target) {
    StringBuilder escaped = new StringBuilder();
    target
        .chars()
        .forEach(
            c -> {
              if (c > '~') {
                escaped.append(String.format("%%%02X", c));
              } else {
                escaped.append((char) c);
              }
            });
    return escaped.toString();
  }

  private static boolean isPlain(String target) {
    return target.startsWith("/")
        && target
            .chars()
            .allMatch(
                c ->
                    c >= 'a' && c <= 'z'
                        || c >= 'A' && c <= 'Z'
                        || c >= '0' && c <= '9'
                        || PLAIN.indexOf(c) >= 0);
  }

  /** Returns the address as the client wrote it. */
  static String unwrap(String target) {
    return target.startsWith(WRAPPED)
        ? new String(
            Base64.getUrlDecoder().decode(target.substring(WRAPPED.length())),
            StandardCharsets.UTF_8)
        : target;
  }
}
