package io.braid.site;

import java.util.List;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Element;

/** Converts CommonMark with tables to HTML whose headings have anchors. */
final class Markdown {
  private static final List<Extension> EXTENSIONS = List.of(TablesExtension.create());
  private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();
  private static final HtmlRenderer RENDERER =
      HtmlRenderer.builder().extensions(EXTENSIONS).build();

  private Markdown() {}

  /** Returns the body of a page. */
  static Element render(String markdown) {
    Element body = Jsoup.parseBodyFragment(RENDERER.render(PARSER.parse(markdown))).body();
    Anchors anchors = new Anchors();
    for (Element heading : body.select("h1,h2,h3,h4,h5,h6")) {
      heading.id(anchors.next(heading.text()));
    }
    return body;
  }
}
