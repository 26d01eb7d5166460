package io.braid.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Set;

/**
 * Keeps web pages of strangers out. A browser sends any request that a page asks it to send, from
 * within the network and from this machine, to addresses that trust both. Requests that change
 * something are therefore taken only in a form that a page of another origin cannot give them:
 *
 * <ul>
 *   <li>An {@code Origin} that differs from the requested address is refused, and so are requests
 *       that the browser itself marks as coming from another site.
 *   <li>The content types that the forms of pages send are refused for the methods that forms have.
 *   <li>A browser that asks for this server under a foreign name is refused, unless it shows a
 *       token: a page may have bound its name to this address. Numeric addresses, {@code localhost}
 *       and the name of the machine are the server's own. Over TLS, the certificate has already
 *       proved the name.
 * </ul>
 *
 * <p>Programs are not browsers and need none of these headers.
 */
final class WebPages {
  private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");
  private static final Set<String> FORMS =
      Set.of("application/x-www-form-urlencoded", "multipart/form-data", "text/plain");
  private static final Set<String> OWN_SITE = Set.of("same-origin", "none");

  private WebPages() {}

  /**
   * @throws HttpRefusal when a page of another origin may have sent it
   */
  static void refuseForeign(HttpCall call) {
    String origin = header(call, "Origin");
    if (!origin.isEmpty() && !origin.equals(ownOrigin(call))) {
      throw forbidden("Pages of another origin are not served.");
    }
    if (READING.contains(call.method())) {
      return;
    }
    String site = header(call, "Sec-Fetch-Site");
    if (!site.isEmpty() && !OWN_SITE.contains(site)) {
      throw forbidden("Pages of another site change nothing here.");
    }
    String type = header(call, "Content-Type").split(";", 2)[0].strip();
    if (call.method().equals("POST") && FORMS.contains(type.toLowerCase(Locale.ROOT))) {
      throw new HttpRefusal(
          415,
          "a form",
          "Forms of web pages send "
              + type
              + ", so it is not taken. Send the header 'Content-Type: application/json', or"
              + " application/octet-stream for bytes.");
    }
    boolean secure = call.tls().isPresent();
    boolean token = !header(call, "Authorization").isEmpty();
    if (!secure && !token && browser(call) && !own(header(call, "Host"))) {
      throw forbidden(
          "To change something from a browser without a token, ask for this server by its"
              + " numeric address or the name of its machine.");
    }
  }

  private static boolean browser(HttpCall call) {
    return call.header("Origin") != null
        || call.header("Sec-Fetch-Site") != null
        || header(call, "User-Agent").startsWith("Mozilla/");
  }

  private static boolean own(String hostAndPort) {
    String host = hostAndPort.replaceFirst(":[0-9]{1,5}$", "").toLowerCase(Locale.ROOT);
    return host.equals("localhost")
        || host.matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}")
        || host.matches("\\[[0-9a-f:.]+\\]")
        || host.equals(machine());
  }

  private static String machine() {
    try {
      return InetAddress.getLocalHost().getHostName().toLowerCase(Locale.ROOT);
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }

  private static String ownOrigin(HttpCall call) {
    String scheme = call.tls().isPresent() ? "https://" : "http://";
    return scheme + header(call, "Host");
  }

  private static String header(HttpCall call, String name) {
    String value = call.header(name);
    return value == null ? "" : value;
  }

  private static HttpRefusal forbidden(String message) {
    return new HttpRefusal(403, "forbidden", message);
  }
}
