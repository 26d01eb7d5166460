package io.braid.site;

import java.util.List;
import org.jsoup.nodes.Element;

/**
 * One page of the site.
 *
 * @param source the Markdown file, folder or other text that the page shows, relative to the
 *     repository
 * @param body the HTML; its links are those of the source until the page is written
 */
record Page(String source, Element body) {

  /** Returns the first heading, or, without one, the name of the source. */
  String title() {
    Element first = body.selectFirst("h1");
    return first == null ? source : first.text();
  }

  boolean has(String anchor) {
    return body.getElementById(anchor) != null;
  }

  List<Element> headings() {
    return body.select("h1,h2,h3,h4,h5,h6");
  }

  /** Returns the address of the page within the site. */
  String address() {
    return Repository.address(source);
  }
}
