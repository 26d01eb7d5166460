package io.braid.site;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jsoup.nodes.Element;
import org.jspecify.annotations.Nullable;

/**
 * All pages of the site, and their problems.
 *
 * <p>The site contains the README, the files that the README links to, the files that these link
 * to, and so on. A link to a missing file or a missing heading is a problem. A document that no
 * chain of links reaches is a problem too. Links to other hosts are not followed.
 */
final class Book {
  static final String HOME = "README.md";
  private static final Pattern ELSEWHERE = Pattern.compile("([a-zA-Z][a-zA-Z0-9+.-]*:|//).*");

  private final Repository repository;
  private final Map<String, Page> pages = new LinkedHashMap<>();
  private final Set<String> copies = new LinkedHashSet<>();
  private final List<Link> links = new ArrayList<>();
  private final List<Problem> problems = new ArrayList<>();

  /**
   * @param attribute {@code href} or {@code src}
   * @param anchor the anchor without {@code #}; empty if there is none
   */
  private record Link(Page page, Element element, String attribute, String target, String anchor) {}

  private Book(Repository repository) {
    this.repository = repository;
  }

  /**
   * Reads and checks the pages. Writes nothing.
   *
   * @param root a folder with a README.md
   */
  static Book read(Path root) throws IOException {
    Book book = new Book(new Repository(root));
    book.follow(HOME);
    for (String document : book.repository.documents()) {
      if (!book.pages.containsKey(document)) {
        book.problems.add(
            new Problem(document, "no page links to it. Link to it from docs/index.md."));
        book.follow(document);
      }
    }
    book.connect();
    return book;
  }

  Collection<Page> pages() {
    return pages.values();
  }

  Optional<Page> page(String source) {
    return Optional.ofNullable(pages.get(source));
  }

  /** Returns the files that the pages show or offer unchanged. */
  Set<String> copies() {
    return copies;
  }

  /** Returns the problems in the order of the pages; empty if there are none. */
  List<Problem> problems() {
    return problems;
  }

  Repository repository() {
    return repository;
  }

  /** Returns the pages that a page links to, in order, each once. */
  List<Page> linkedFrom(Page page, Element part) {
    return links.stream()
        .filter(link -> link.page == page && inside(link.element, part))
        .flatMap(link -> page(link.target).stream())
        .filter(target -> target != page)
        .distinct()
        .toList();
  }

  private static boolean inside(Element element, Element part) {
    return element == part || element.parents().contains(part);
  }

  private void follow(String start) throws IOException {
    ArrayDeque<String> next = new ArrayDeque<>(List.of(start));
    while (!next.isEmpty()) {
      String source = next.removeFirst();
      if (pages.containsKey(source) || copies.contains(source)) {
        continue;
      }
      if (repository.isCopied(source)) {
        copies.add(source);
        continue;
      }
      Page page = repository.page(source);
      pages.put(source, page);
      for (Element element : page.body().select("a[href],img[src]")) {
        @Nullable Link link = link(page, element, element.hasAttr("href") ? "href" : "src");
        if (link != null) {
          links.add(link);
          next.add(link.target);
        }
      }
    }
  }

  private @Nullable Link link(Page page, Element element, String attribute) {
    String written = element.attr(attribute);
    if (ELSEWHERE.matcher(written).matches()) {
      return null;
    }
    int hash = written.indexOf('#');
    String path = decoded(hash < 0 ? written : written.substring(0, hash));
    String anchor = hash < 0 ? "" : decoded(written.substring(hash + 1));
    if (path.isEmpty()) {
      return new Link(page, element, attribute, page.source(), anchor);
    }
    Optional<String> target = repository.resolve(page.source(), path);
    if (target.isEmpty()) {
      problems.add(
          new Problem(
              page.source(),
              "links to " + written + ", which is not there. Mend the link, or remove it."));
      return null;
    }
    return new Link(page, element, attribute, target.get(), anchor);
  }

  private static String decoded(String part) {
    return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  /** Points links to pages of the site, and finds links whose heading is missing. */
  private void connect() {
    for (Link link : links) {
      Page target = pages.get(link.target);
      if (!link.anchor.isEmpty() && (target == null || !target.has(link.anchor))) {
        problems.add(
            new Problem(
                link.page.source(),
                "links to #"
                    + link.anchor
                    + " of "
                    + link.target
                    + ", where no heading has it. Its headings are "
                    + anchors(target)
                    + "."));
      }
      String there = Repository.address(link.target);
      String relative = relative(link.page.address(), there);
      link.element.attr(
          link.attribute,
          link.anchor.isEmpty()
              ? relative
              : (link.page == target ? "" : relative) + "#" + link.anchor);
    }
  }

  private static String anchors(@Nullable Page target) {
    return target == null || target.headings().isEmpty()
        ? "none"
        : String.join(", ", target.headings().stream().map(Element::id).toList());
  }

  /**
   * Returns the relative address from one page of the site to another, or to a file of the site.
   */
  static String relative(String from, String to) {
    String up = "../".repeat((int) from.chars().filter(c -> c == '/').count());
    return up + to.replace("%", "%25").replace("#", "%23").replace("?", "%3F").replace(" ", "%20");
  }
}
