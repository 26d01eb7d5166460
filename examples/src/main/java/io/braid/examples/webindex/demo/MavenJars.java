package io.braid.examples.webindex.demo;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * Fetches jars through Maven, so that the user's own repositories and mirrors are asked, and keeps
 * them in a directory, so that they are fetched once.
 */
public final class MavenJars {
  private static final String COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy";

  private final Path directory;
  private final String maven;

  /** A jar in a Maven repository. */
  public record Jar(String group, String artifact, String version, String classifier) {
    String file() {
      return artifact + "-" + version + "-" + classifier + ".jar";
    }

    @Override
    public String toString() {
      return group + ":" + artifact + ":" + version + ":jar:" + classifier;
    }
  }

  /** Maven could not bring a jar. The text says what to do. */
  public static final class FetchException extends RuntimeException {
    FetchException(String message) {
      super(message);
    }
  }

  /** Keeps jars in this directory; takes the Maven of the path. */
  public MavenJars(Path directory) {
    this(directory, "mvn");
  }

  /** As {@link #MavenJars(Path)}, with the Maven that this command starts. */
  public MavenJars(Path directory, String maven) {
    this.directory = directory;
    this.maven = maven;
  }

  public boolean has(Jar jar) {
    return Files.isRegularFile(directory.resolve(jar.file()));
  }

  /**
   * Returns the file of a jar, fetched if it is missing.
   *
   * @throws FetchException when the file is missing and Maven cannot bring it
   */
  public Path get(Jar jar) {
    Path file = directory.resolve(jar.file());
    if (!has(jar)) {
      try {
        Files.createDirectories(directory);
        fetch(jar, file);
      } catch (IOException e) {
        throw failed(jar, e.toString());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw failed(jar, "interrupted");
      }
    }
    return file;
  }

  /**
   * Fetches a jar into a directory beside the file first, so that the file is complete or missing.
   */
  private void fetch(Jar jar, Path file) throws IOException, InterruptedException {
    Path partial = Files.createTempDirectory(directory, "fetching");
    Path log = partial.resolve("maven.log");
    try {
      Process process =
          new ProcessBuilder(
                  maven,
                  "-q",
                  "-B",
                  COPY,
                  "-Dartifact=" + jar,
                  "-DoutputDirectory=" + partial.toAbsolutePath())
              .directory(partial.toFile())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      if (process.waitFor() != 0 || !Files.isRegularFile(partial.resolve(jar.file()))) {
        throw failed(jar, firstError(Files.readAllLines(log, StandardCharsets.ISO_8859_1)));
      }
      Files.move(
          partial.resolve(jar.file()),
          file,
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(log);
      Files.deleteIfExists(partial.resolve(jar.file()));
      Files.deleteIfExists(partial);
    }
  }

  private static String firstError(List<String> log) {
    return log.stream().filter(line -> line.contains("ERROR")).findFirst().orElse("no output");
  }

  private static FetchException failed(Jar jar, String why) {
    return new FetchException(
        "Maven could not fetch "
            + jar
            + ": "
            + why
            + " Connect to a Maven repository and try again, or give local jars with --first and"
            + " --second.");
  }
}
