package io.braid.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A directory that is removed with the end of the benchmark. */
public record Scratch(Path directory) implements AutoCloseable {
  public static Scratch create() throws IOException {
    return new Scratch(Files.createTempDirectory("braid-bench"));
  }

  public Path child(String name) {
    return directory.resolve(name);
  }

  @Override
  public void close() {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
