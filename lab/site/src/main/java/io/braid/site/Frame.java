package io.braid.site;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/** The frame of each page: the link home, the contents, the page's headings, and its neighbours. */
final class Frame {
  private static final int HEADINGS_WORTH_A_LIST = 3;

  private final String template;
  private final List<Contents.Chapter> chapters;
  private final boolean javadoc;

  /**
   * @param javadoc whether there is an {@code apidocs/index.html} to link to
   */
  Frame(List<Contents.Chapter> chapters, boolean javadoc) throws IOException {
    this.template = Site.resource("page.html");
    this.chapters = chapters;
    this.javadoc = javadoc;
  }

  /** Returns the whole page. */
  String around(Page page) {
    Document html = Jsoup.parse(template);
    html.outputSettings().prettyPrint(false);
    html.title(page.title().equals("Braid") ? "Braid" : page.title() + " · Braid");
    String here = page.address();
    for (Element own : html.select("link[href],script[src],a[data-site]")) {
      String attribute = own.hasAttr("src") ? "src" : "href";
      own.attr(attribute, Book.relative(here, own.attr(attribute)));
    }
    part(html, "search").attr("data-root", Book.relative(here, ""));
    if (!javadoc) {
      part(html, "javadoc").remove();
    }
    contents(part(html, "contents"), page);
    headings(part(html, "headings"), page);
    neighbours(part(html, "neighbours"), page);
    Element main = part(html, "main");
    for (Element child : page.body().clone().children()) {
      main.appendChild(child);
    }
    links(main);
    main.select("table").forEach(table -> table.wrap("<div class=\"wide\" tabindex=\"0\"></div>"));
    main.select("pre").forEach(pre -> pre.attr("tabindex", "0"));
    part(html, "source").text(page.source());
    return html.outerHtml();
  }

  private void contents(Element list, Page page) {
    for (Contents.Chapter chapter : chapters) {
      list.appendElement("h2").text(chapter.title());
      Element pages = list.appendElement("ul");
      for (Page other : chapter.pages()) {
        Element link = pages.appendElement("li").appendElement("a").text(other.title());
        link.attr("href", Book.relative(page.address(), other.address()));
        if (other == page) {
          link.attr("aria-current", "page");
        }
      }
    }
  }

  private static void headings(Element list, Page page) {
    List<Element> headings = page.body().select("h2");
    if (headings.size() < HEADINGS_WORTH_A_LIST) {
      list.remove();
      return;
    }
    Element items = list.appendElement("ul");
    for (Element heading : headings) {
      items
          .appendElement("li")
          .appendElement("a")
          .attr("href", "#" + heading.id())
          .text(heading.text());
    }
  }

  private void neighbours(Element place, Page page) {
    List<Page> order =
        chapters.stream().flatMap(chapter -> chapter.pages().stream()).distinct().toList();
    int at = order.indexOf(page);
    if (at < 0) {
      return;
    }
    Stream.of(at - 1, at + 1)
        .filter(other -> other >= 0 && other < order.size())
        .forEach(
            other -> {
              boolean before = other < at;
              Page neighbour = order.get(other);
              place
                  .appendElement("a")
                  .attr("href", Book.relative(page.address(), neighbour.address()))
                  .attr("rel", before ? "prev" : "next")
                  .text(before ? "← " + neighbour.title() : neighbour.title() + " →");
            });
  }

  /** Adds to each heading a link to itself. */
  private static void links(Element main) {
    for (Element heading : main.select("h2[id],h3[id],h4[id]")) {
      heading
          .appendElement("a")
          .addClass("here")
          .attr("href", "#" + heading.id())
          .attr("aria-label", "Link to " + heading.text())
          .text("#");
    }
  }

  private static Element part(Document html, String id) {
    return Objects.requireNonNull(html.getElementById(id), id);
  }
}
