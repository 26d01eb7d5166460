package io.braid.site;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jsoup.nodes.Element;

/**
 * The index of the search box: each part of each page, with its text. The index is a script, not a
 * data file, because a page opened from a disk may not read other files.
 */
final class SearchIndex {
  private SearchIndex() {}

  /**
   * Returns a script with {@code [address with anchor, title of the page, heading, text]} for each
   * part.
   */
  static String script(Collection<Page> pages) throws JsonProcessingException {
    List<List<String>> parts = new ArrayList<>();
    for (Page page : pages) {
      String address = page.address();
      String heading = page.title();
      StringBuilder text = new StringBuilder();
      for (Element child : page.body().children()) {
        if (child.normalName().matches("h[1-3]")) {
          add(parts, address, page, heading, text);
          boolean top = child.normalName().equals("h1");
          address = Book.relative("", page.address()) + (top ? "" : "#" + child.id());
          heading = child.text();
          text.setLength(0);
        } else {
          text.append(child.text()).append(' ');
        }
      }
      add(parts, address, page, heading, text);
    }
    return "window.braidSearch = " + new ObjectMapper().writeValueAsString(parts) + ";\n";
  }

  private static void add(
      List<List<String>> parts, String address, Page page, String heading, StringBuilder text) {
    if (!text.isEmpty() || !heading.equals(page.title())) {
      parts.add(List.of(address, page.title(), heading, text.toString().strip()));
    }
  }
}
