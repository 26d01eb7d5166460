package io.braid.site;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/** Writes the site: {@code Site ROOT FOLDER}. */
public final class Site {
  private Site() {}

  /**
   * @param arguments the repository, and the folder to write to; pages link to Javadoc that is
   *     already in its folder {@code apidocs}
   * @throws IllegalStateException if a link leads nowhere; its text names every such link, and
   *     nothing is written
   */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 2) {
      throw new IllegalArgumentException("Give the repository and the folder to write to.");
    }
    int pages = write(Path.of(arguments[0]), Path.of(arguments[1]));
    System.out.println(pages + " pages in " + Path.of(arguments[1]).toAbsolutePath().normalize());
  }

  /**
   * Writes the pages of a repository.
   *
   * @return the number of pages
   */
  static int write(Path root, Path folder) throws IOException {
    Book book = Book.read(root);
    if (!book.problems().isEmpty()) {
      throw new IllegalStateException(
          "The site was not written:\n  "
              + String.join("\n  ", book.problems().stream().map(Problem::toString).toList()));
    }
    Frame frame =
        new Frame(Contents.of(book), Files.exists(folder.resolve("apidocs").resolve("index.html")));
    for (Page page : book.pages()) {
      put(folder, page.address(), frame.around(page));
    }
    for (String copy : book.copies()) {
      Path to = folder.resolve(copy);
      Files.createDirectories(to.resolveSibling("."));
      Files.copy(book.repository().file(copy), to, StandardCopyOption.REPLACE_EXISTING);
    }
    for (String own : List.of("site.css", "site.js")) {
      put(folder, own, resource(own));
    }
    put(folder, "search.js", SearchIndex.script(book.pages()));
    return book.pages().size();
  }

  static String resource(String name) throws IOException {
    try (InputStream in = Site.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new FileNotFoundException(name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static void put(Path folder, String address, String text) throws IOException {
    Path to = folder.resolve(address);
    Files.createDirectories(to.resolveSibling(".").normalize());
    Files.writeString(to, text);
  }
}
