package io.braid.site;

import java.util.List;
import org.jsoup.nodes.Element;

/**
 * One page of the site.
 *
 * @param source what it shows: a Markdown file, a folder, or a text of any other kind; relative to
 *     the repository
 * @param body its HTML; links in it are those of the source until the page is written
 */
record Page(String source, Element body) {

  /** Its first heading, or else what it shows. */
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

  /** Where it stands in the site. */
  String address() {
    return Repository.address(source);
  }
}
