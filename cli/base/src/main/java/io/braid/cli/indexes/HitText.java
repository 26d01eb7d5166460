package io.braid.cli.indexes;

import io.braid.examples.webindex.search.Hit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** How an answer to a query reads. */
public final class HitText {
  private HitText() {}

  static Map<String, Object> toObject(Hit hit) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("url", hit.url());
    object.put("title", hit.title());
    object.put("snippet", hit.snippet());
    object.put("anchors", hit.anchors());
    object.put("links", hit.links());
    object.put("duplicates", hit.duplicates());
    object.put("score", hit.score());
    return object;
  }

  /** Returns all hits, or a line that says that there is none. */
  public static String toText(List<Hit> hits) {
    if (hits.isEmpty()) {
      return String.format("No page has all of these words.%n");
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < hits.size(); i++) {
      text.append(toText(i + 1, hits.get(i))).append(System.lineSeparator());
    }
    return text.toString();
  }

  /** Four lines: title, address, the place where it was found, what links say. */
  static String toText(int rank, Hit hit) {
    String links = counted(hit.links(), "link");
    String anchors =
        hit.anchors().isEmpty()
            ? ""
            : (hit.links() == 1 ? ", which says \"" : ", which say \"")
                + String.join("\", \"", hit.anchors())
                + "\"";
    String duplicates = hit.duplicates() == 0 ? "" : "; " + counted(hit.duplicates(), "duplicate");
    return String.format(
        Locale.ROOT,
        "%d. %s%n   %s%n   %s%n   %s%s%s",
        rank,
        hit.title().isEmpty() ? "(no title)" : hit.title(),
        hit.url(),
        hit.snippet(),
        links,
        anchors,
        duplicates);
  }

  private static String counted(long number, String what) {
    return String.format(Locale.ROOT, "%,d %s%s", number, what, number == 1 ? "" : "s");
  }
}
