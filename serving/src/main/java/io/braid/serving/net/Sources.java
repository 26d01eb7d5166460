package io.braid.serving.net;

import io.braid.serving.fetch.HadoopSource;
import io.braid.serving.fetch.LocalSource;
import io.braid.serving.fetch.Source;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** Where a version is fetched from, by what an operator says of it. */
public final class Sources {
  private static final Pattern SCHEME = Pattern.compile("[a-z][a-z0-9+.-]*://");

  private Sources() {}

  /**
   * @param from an address of a node or a server of files, one that Hadoop's client reads, or a
   *     directory
   * @throws IllegalArgumentException when nothing on the class path reads it
   */
  public static Source of(String from) throws IOException {
    if (from.startsWith("http://") || from.startsWith("https://")) {
      return new HttpSource(URI.create(from.endsWith("/") ? from : from + "/"));
    }
    return isAddress(from) ? HadoopSource.open(URI.create(from)) : new LocalSource(Path.of(from));
  }

  static boolean isAddress(String from) {
    return SCHEME.matcher(from).lookingAt();
  }
}
