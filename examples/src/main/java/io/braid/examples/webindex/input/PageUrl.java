package io.braid.examples.webindex.input;

import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The address of a page in one normal form, so that a link and the page it leads to compare equal.
 * The scheme and the host are in lower case. There is no default port, no fragment and no dot
 * segment, and the path is at least "/". Percent-encoding is used only where it is needed (RFC
 * 3986, section 6.2.2). In the path, characters such as '+' are literal too, as in every file
 * server.
 */
public record PageUrl(String scheme, String authority, String path, @Nullable String query) {
  /** Longer addresses are no pages. */
  public static final int MAX_LENGTH = 2_000;

  /** Reads an absolute http or https URL; empty when it is something else, or too long. */
  public static Optional<PageUrl> parse(String url) {
    String text = withoutFragment(strip(url));
    int colon = schemeEnd(text);
    if (colon < 0 || !text.startsWith("//", colon + 1)) {
      return Optional.empty();
    }
    return absolute(text.substring(0, colon), text.substring(colon + 3));
  }

  /**
   * Returns the address of a file below this one.
   *
   * @param file a path with '/' between its segments; all other characters are literal
   */
  public PageUrl file(String file) {
    return new PageUrl(scheme, authority, Escapes.file(directory() + file), null);
  }

  /**
   * Resolves a link on this page (RFC 3986, section 5.2); empty when the target is no http or https
   * URL.
   */
  public Optional<PageUrl> resolve(String reference) {
    String text = withoutFragment(strip(reference));
    int colon = schemeEnd(text);
    if (colon >= 0) {
      return parse(text);
    }
    if (text.startsWith("//")) {
      return absolute(scheme, text.substring(2));
    }
    int mark = text.indexOf('?');
    String relative = mark < 0 ? text : text.substring(0, mark);
    String newQuery = mark < 0 ? null : text.substring(mark + 1);
    if (relative.isEmpty()) {
      return bounded(scheme, authority, path, newQuery == null ? query : Escapes.query(newQuery));
    }
    return of(
        scheme, authority, relative.startsWith("/") ? relative : directory() + relative, newQuery);
  }

  /** The part of the web that a whole site takes: the address of its root. */
  public String site() {
    return scheme + "://" + authority + "/";
  }

  @Override
  public String toString() {
    return scheme + "://" + authority + path + (query == null ? "" : "?" + query);
  }

  private String directory() {
    return path.substring(0, path.lastIndexOf('/') + 1);
  }

  private static Optional<PageUrl> absolute(String scheme, String rest) {
    String lower = scheme.toLowerCase(Locale.ROOT);
    if (!lower.equals("http") && !lower.equals("https")) {
      return Optional.empty();
    }
    int mark = rest.indexOf('?');
    String beforeQuery = mark < 0 ? rest : rest.substring(0, mark);
    String query = mark < 0 ? null : rest.substring(mark + 1);
    int slash = beforeQuery.indexOf('/');
    String host = slash < 0 ? beforeQuery : beforeQuery.substring(0, slash);
    String path = slash < 0 ? "/" : beforeQuery.substring(slash);
    return host(lower, host).flatMap(authority -> of(lower, authority, path, query));
  }

  private static Optional<String> host(String scheme, String authority) {
    String host = authority.toLowerCase(Locale.ROOT);
    String defaultPort = scheme.equals("http") ? ":80" : ":443";
    if (host.endsWith(defaultPort)) {
      host = host.substring(0, host.length() - defaultPort.length());
    } else if (host.endsWith(":")) {
      host = host.substring(0, host.length() - 1);
    }
    boolean plain = host.chars().noneMatch(c -> c <= ' ' || "\"<>\\^`{|}".indexOf(c) >= 0);
    return host.isEmpty() || !plain ? Optional.empty() : Optional.of(host);
  }

  private static Optional<PageUrl> of(
      String scheme, String authority, String path, @Nullable String query) {
    return bounded(
        scheme,
        authority,
        withoutDotSegments(Escapes.path(path)),
        query == null ? null : Escapes.query(query));
  }

  private static Optional<PageUrl> bounded(
      String scheme, String authority, String path, @Nullable String query) {
    int length = scheme.length() + authority.length() + path.length();
    if (length + (query == null ? 0 : query.length()) > MAX_LENGTH) {
      return Optional.empty();
    }
    return Optional.of(new PageUrl(scheme, authority, path, query));
  }

  /** RFC 3986, section 5.2.4; segments that lead above the root are dropped. */
  private static String withoutDotSegments(String path) {
    if (!path.contains("/.")) {
      return path;
    }
    StringBuilder out = new StringBuilder(path.length());
    for (int begin = 0; begin < path.length(); ) {
      int next = path.indexOf('/', begin + 1);
      int end = next < 0 ? path.length() : next;
      String segment = path.substring(begin, end);
      boolean dots = segment.equals("/.") || segment.equals("/..");
      if (segment.equals("/..")) {
        out.setLength(Math.max(0, out.lastIndexOf("/")));
      }
      if (!dots) {
        out.append(segment);
      } else if (next < 0) {
        out.append('/');
      }
      begin = end;
    }
    return out.toString();
  }

  private static String withoutFragment(String text) {
    int hash = text.indexOf('#');
    return hash < 0 ? text : text.substring(0, hash);
  }

  /** Browsers drop tabs and line ends anywhere, and spaces around a link. */
  private static String strip(String text) {
    String inOneLine =
        text.chars().noneMatch(c -> c == '\t' || c == '\n' || c == '\r')
            ? text
            : text.replaceAll("[\\t\\n\\r]", "");
    return inOneLine.strip();
  }

  /** Returns the place of the colon after a scheme; -1 when there is no scheme. */
  private static int schemeEnd(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      if (c == ':') {
        return i == 0 ? -1 : i;
      }
      if (!letter && (i == 0 || !((c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.'))) {
        return -1;
      }
    }
    return -1;
  }
}
