package io.braid.batch.input;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.ServiceLoader;
import org.apiguardian.api.API;

/**
 * Reaches files that are not on this machine. Found by {@link ServiceLoader}; the artifact {@code
 * braid-batch-formats} brings the file systems of Hadoop.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public interface FilePlaces {
  /** Returns whether it knows addresses that begin with a scheme. */
  boolean knows(String scheme);

  /**
   * The file at an address, for {@link java.nio.file.Files} to read, write, move and remove.
   *
   * @throws IOException when its file system cannot be reached
   */
  Path file(String address) throws IOException;

  /**
   * The file that a text names: an address such as {@code hdfs://host/people.csv}, else a path on
   * this machine.
   *
   * @throws IllegalArgumentException when it is an address that nothing on the class path knows
   * @throws UncheckedIOException when its file system cannot be reached
   */
  static Path path(String text) {
    int colon = text.indexOf(':');
    if (colon < 2 || !text.substring(0, colon).matches("[A-Za-z][A-Za-z0-9+.-]*")) {
      return Path.of(text);
    }
    String scheme = text.substring(0, colon).toLowerCase(Locale.ROOT);
    if (scheme.equals("file")) {
      return Path.of(text.substring(colon + 1).replaceFirst("^//+", "/"));
    }
    if (!text.startsWith("//", colon + 1)) {
      return Path.of(text);
    }
    try {
      return ServiceLoader.load(FilePlaces.class).stream()
          .map(ServiceLoader.Provider::get)
          .filter(each -> each.knows(scheme))
          .findFirst()
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "Nothing here reaches '" + text + "': " + needs(scheme)))
          .file(text);
    } catch (IOException e) {
      throw new UncheckedIOException("'" + text + "' cannot be reached: " + e.getMessage(), e);
    }
  }

  private static String needs(String scheme) {
    String more =
        switch (scheme) {
          case "s3a" ->
              " hadoop-aws of the same version, and the AWS SDK that its pom names"
                  + " (software.amazon.awssdk:bundle)";
          case "s3", "s3n" -> " what it needs for S3, which has the scheme s3a there";
          default -> " what it needs for " + scheme;
        };
    return "have Hadoop's client (hadoop-client-api and hadoop-client-runtime) on the class path,"
        + " and"
        + more
        + ": name these jars in BRAID_CLASSPATH.";
  }
}
