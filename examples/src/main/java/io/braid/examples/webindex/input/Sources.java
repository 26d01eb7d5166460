package io.braid.examples.webindex.input;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the pages of a path and their addresses on the web.
 *
 * <p>A WARC file has the addresses of its pages. Other files have none, so they get addresses that
 * stay the same when the same site is crawled again. A jar or zip is the site {@code
 * https://NAME.corpus/}, named after the file without version and classifier, so that two releases
 * of one library have the same pages. A directory is the site {@code https://corpus/}, or, when
 * several are given at once, {@code https://NAME.corpus/}.
 */
public final class Sources {
  private static final PageUrl DIRECTORY = new PageUrl("https", "corpus", "/", null);

  private Sources() {}

  /**
   * Opens paths for crawling.
   *
   * @param base the address of the root of the only path, to be used instead of a made-up one
   * @throws IllegalArgumentException when there is nothing at a path
   * @throws InputException when a path is nothing that can be crawled, or two would have the same
   *     addresses
   */
  public static List<PageSource> open(List<Path> paths, Optional<PageUrl> base) {
    long directories = paths.stream().filter(Files::isDirectory).count();
    if (base.isPresent() && paths.size() != 1) {
      throw new InputException("A base goes with exactly one path; there are " + paths.size());
    }
    List<PageSource> sources = new ArrayList<>();
    Map<String, Path> sites = new LinkedHashMap<>();
    for (Path path : paths) {
      Kind kind = kind(path);
      if (kind == Kind.WARC) {
        sources.add(new WarcSource(path));
        continue;
      }
      boolean named = kind == Kind.ARCHIVE || directories > 1;
      PageUrl root = base.orElseGet(() -> named ? site(path) : DIRECTORY);
      Path other = sites.put(root.toString(), path);
      if (other != null) {
        throw new InputException(
            path + " and " + other + " would both be " + root + "; index one after the other.");
      }
      sources.add(
          kind == Kind.ARCHIVE ? new ArchiveSource(path, root) : new DirectorySource(path, root));
    }
    return sources;
  }

  /** The name of a site: of a file without extension, classifier and version. */
  static String siteName(Path path) {
    String name = String.valueOf(path.toAbsolutePath().normalize().getFileName());
    String plain =
        name.toLowerCase(Locale.ROOT)
            .replaceFirst("\\.(jar|zip)$", "")
            .replaceFirst("-(javadoc|sources|docs?|html)$", "")
            .replaceFirst("-\\d.*$", "")
            .replaceAll("[^a-z0-9.]+", "-")
            .replaceAll("^[-.]+|[-.]+$", "");
    return plain.isEmpty() ? "site" : plain;
  }

  /** The root of the site that a file is made, by its name. */
  public static PageUrl site(Path path) {
    return new PageUrl("https", siteName(path) + ".corpus", "/", null);
  }

  private enum Kind {
    DIRECTORY,
    ARCHIVE,
    WARC
  }

  private static Kind kind(Path path) {
    if (Files.isDirectory(path)) {
      return Kind.DIRECTORY;
    }
    if (!Files.exists(path)) {
      throw new IllegalArgumentException("There is no file or directory " + path + ".");
    }
    byte[] head;
    try (InputStream in = Files.newInputStream(path)) {
      head = in.readNBytes(5);
    } catch (IOException e) {
      throw new InputException("File " + path + " cannot be read: " + e.getMessage(), e);
    }
    if (begins(head, 'P', 'K')) {
      return Kind.ARCHIVE;
    }
    if (begins(head, 0x1F, 0x8B) || begins(head, 'W', 'A', 'R', 'C', '/')) {
      return Kind.WARC;
    }
    throw new InputException(
        "File " + path + " is neither a jar, a zip nor a WARC file. Give one, or a directory.");
  }

  private static boolean begins(byte[] head, int... magic) {
    for (int i = 0; i < magic.length; i++) {
      if (i >= head.length || (head[i] & 0xFF) != magic[i]) {
        return false;
      }
    }
    return true;
  }
}
