package io.braid.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jsoup.nodes.Element;

/** The files of the site. Sources are paths relative to the root, with slashes. */
final class Repository {
  private static final Set<String> COPIED = Set.of("svg", "png", "jpg", "gif", "json", "html");
  private static final List<String> FACES = List.of("README.md", "index.md");

  private final Path root;

  Repository(Path root) {
    this.root = root.toAbsolutePath().normalize();
  }

  Path file(String source) {
    return root.resolve(source);
  }

  /**
   * Resolves a link.
   *
   * @param from the source that contains the link; the links of a folder start in the folder
   * @param path the link's path, decoded, without its anchor
   * @return the source that the link leads to, with a folder's README or index in place of the
   *     folder. Empty if there is no such file, or if the link leads out of the repository
   */
  Optional<String> resolve(String from, String path) {
    Path start = file(from);
    Path folder =
        Files.isDirectory(start) ? start : Optional.ofNullable(start.getParent()).orElse(root);
    Path target = folder.resolve(path).normalize();
    if (!target.startsWith(root) || !Files.exists(target)) {
      return Optional.empty();
    }
    for (String face : FACES) {
      if (Files.exists(target.resolve(face))) {
        return Optional.of(source(target.resolve(face)));
      }
    }
    return Optional.of(source(target));
  }

  /** Returns whether a source goes into the site unchanged, as pictures do. */
  boolean isCopied(String source) {
    return Files.isRegularFile(file(source)) && COPIED.contains(extension(source));
  }

  /** Renders Markdown, lists a folder, or shows any other text unchanged. */
  Page page(String source) throws IOException {
    Path file = file(source);
    if (Files.isDirectory(file)) {
      return new Page(source, listing(source));
    }
    String text = Files.readString(file);
    if (extension(source).equals("md")) {
      return new Page(source, Markdown.render(text));
    }
    Element body = new Element("body");
    body.appendElement("h1").text(name(file));
    body.appendElement("pre").appendElement("code").text(text);
    return new Page(source, body);
  }

  /**
   * Returns every Markdown file that links must reach: those beside the README and those in docs.
   */
  List<String> documents() throws IOException {
    try (Stream<Path> above = Files.list(root);
        Stream<Path> docs =
            Files.exists(file("docs")) ? Files.walk(file("docs")) : Stream.empty()) {
      return Stream.concat(above, docs)
          .filter(file -> name(file).endsWith(".md"))
          .map(this::source)
          .sorted()
          .toList();
    }
  }

  /** Returns the address of a source within the site. */
  static String address(String source) {
    if (source.equals("README.md")) {
      return "index.html";
    }
    String extension = extension(source);
    if (COPIED.contains(extension)) {
      return source;
    }
    return extension.equals("md")
        ? source.substring(0, source.length() - "md".length()) + "html"
        : source + ".html";
  }

  private Element listing(String source) throws IOException {
    Element body = new Element("body");
    String folder = name(file(source));
    body.appendElement("h1")
        .text(folder.substring(0, 1).toUpperCase(Locale.ROOT) + folder.substring(1));
    Element list = body.appendElement("ul");
    try (Stream<Path> entries = Files.list(file(source))) {
      for (Path entry : entries.filter(Repository::isListed).sorted().toList()) {
        Element item = list.appendElement("li");
        String name = name(entry);
        boolean markdown = name.endsWith(".md");
        String title = markdown ? page(source(entry)).title() : name;
        item.appendElement("a").attr("href", name.replace("%", "%25")).text(title);
      }
    }
    return body;
  }

  private static boolean isListed(Path entry) {
    String name = name(entry);
    return !name.startsWith(".") && !name.equals("target");
  }

  private String source(Path file) {
    return root.relativize(file).toString().replace('\\', '/');
  }

  private static String name(Path file) {
    return String.valueOf(file.getFileName());
  }

  private static String extension(String source) {
    String name = source.substring(source.lastIndexOf('/') + 1);
    return name.substring(name.lastIndexOf('.') + 1);
  }
}
