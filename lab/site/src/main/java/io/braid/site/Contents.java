package io.braid.site;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jsoup.nodes.Element;

/** The order of the site from docs/index.md: its headings, and the pages under each. */
final class Contents {
  private static final String INDEX = "docs/index.md";

  /** A heading of the index with the pages that it links to. */
  record Chapter(String title, List<Page> pages) {}

  private Contents() {}

  /** Returns the chapters that have pages. Each page is in the first chapter that links to it. */
  static List<Chapter> of(Book book) {
    Page index = book.page(INDEX).orElse(null);
    List<Chapter> chapters = new ArrayList<>();
    if (index == null) {
      return chapters;
    }
    Set<Page> seen = new HashSet<>();
    for (Element heading : index.body().select("h2")) {
      List<Page> pages = new ArrayList<>();
      for (Element part = heading.nextElementSibling();
          part != null && !part.normalName().equals("h2");
          part = part.nextElementSibling()) {
        pages.addAll(book.linkedFrom(index, part).stream().filter(seen::add).toList());
      }
      if (!pages.isEmpty()) {
        chapters.add(new Chapter(heading.text(), pages));
      }
    }
    return chapters;
  }
}
