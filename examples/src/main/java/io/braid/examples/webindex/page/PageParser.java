package io.braid.examples.webindex.page;

import io.braid.core.data.Bytes;
import io.braid.examples.webindex.input.PageUrl;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jspecify.annotations.Nullable;

/**
 * Parses a page. Never fails: invalid HTML is read as a browser would read it, and bytes that do
 * not fit the character set become replacement characters.
 */
public final class PageParser {
  private static final int MAX_TITLE_LENGTH = 300;

  private PageParser() {}

  /**
   * Parses a page.
   *
   * @param charset the character set that the server named; when it is empty or unknown, the page's
   *     own byte order mark or meta element decides, and UTF-8 in the end
   */
  public static ParsedPage parse(PageUrl url, Bytes body, String charset) {
    Document document = read(body, known(charset));
    String title = document.title();
    String shown =
        title.length() <= MAX_TITLE_LENGTH ? title : title.substring(0, MAX_TITLE_LENGTH);
    return new ParsedPage(
        new PageText(shown, oneBlank(document.body().text())),
        links(document, base(document, url)));
  }

  private static Document read(Bytes body, @Nullable String charset) {
    try {
      return Jsoup.parse(new ByteArrayInputStream(body.toArray()), charset, "");
    } catch (IOException e) {
      throw new UncheckedIOException("A page in memory cannot be read.", e);
    }
  }

  private static @Nullable String known(String charset) {
    try {
      return !charset.isEmpty() && Charset.isSupported(charset) ? charset : null;
    } catch (IllegalCharsetNameException e) {
      return null;
    }
  }

  /** Returns the base of relative links: the page, or the address in its first base element. */
  private static PageUrl base(Document document, PageUrl url) {
    Element base = document.selectFirst("base[href]");
    return base == null ? url : url.resolve(base.attr("href")).orElse(url);
  }

  private static OutLinks links(Document document, PageUrl base) {
    Map<String, Anchors> byTarget = new TreeMap<>();
    for (Element link : document.getElementsByTag("a")) {
      if (link.hasAttr("href")) {
        Optional<PageUrl> target = base.resolve(link.attr("href"));
        if (target.isPresent()) {
          String address = target.get().toString();
          Anchors anchors = byTarget.getOrDefault(address, Anchors.none());
          byTarget.put(address, anchors.and(oneBlank(link.text())));
        }
      }
    }
    return new OutLinks(byTarget);
  }

  /** Replaces all blanks: the parser leaves some kinds of them. */
  private static String oneBlank(String text) {
    StringBuilder out = new StringBuilder(text.length());
    boolean blank = true;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!Character.isWhitespace(c) && !Character.isSpaceChar(c)) {
        out.append(c);
        blank = false;
      } else if (!blank) {
        out.append(' ');
        blank = true;
      }
    }
    int length = out.length();
    if (length > 0 && out.charAt(length - 1) == ' ') {
      out.setLength(length - 1);
    }
    return out.toString();
  }
}
