package io.braid.examples.webindex.demo;

import io.braid.examples.webindex.input.PageSource;
import io.braid.examples.webindex.input.PageUrl;
import io.braid.examples.webindex.input.Sources;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The input of the demonstration.
 *
 * @param first the first crawl
 * @param second the same site as the first source, later
 * @param others more of the first crawl, which stays as it is
 * @param name tells these inputs from others
 */
public record DemoInput(PageSource first, PageSource second, List<PageSource> others, String name) {
  /** Opens the inputs; both releases are put under one address, however their files are called. */
  public static DemoInput open(Path first, Path second, List<Path> others) {
    Optional<PageUrl> root = Optional.of(Sources.site(first));
    List<Path> all = new ArrayList<>(List.of(first, second));
    all.addAll(others);
    return new DemoInput(
        Sources.open(List.of(first), root).get(0),
        Sources.open(List.of(second), root).get(0),
        Sources.open(others, Optional.empty()),
        String.join(" ", all.stream().map(path -> String.valueOf(path.getFileName())).toList()));
  }

  /** Returns the names of the sources of the first crawl, for people. */
  public String firstNames() {
    return String.join(" and ", firstCrawl().stream().map(DemoInput::fileName).toList());
  }

  /** Returns the name of the source of the second crawl, for people. */
  public String secondName() {
    return fileName(second);
  }

  private static String fileName(PageSource source) {
    return String.valueOf(Path.of(source.name()).getFileName());
  }

  /** Everything in the first crawl. */
  List<PageSource> firstCrawl() {
    List<PageSource> sources = new ArrayList<>(List.of(first));
    sources.addAll(others);
    return sources;
  }
}
