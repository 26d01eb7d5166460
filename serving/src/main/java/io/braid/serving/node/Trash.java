package io.braid.serving.node;

import io.braid.core.runtime.Seams;
import io.braid.serving.files.Durable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Directories that are to be deleted (section 4.2: asynchronously, to spare the disk), file by file
 * at a given rate. What a crash leaves is deleted later. Files are never shortened: a reader that
 * still has one mapped goes on undisturbed, and the system frees the space when the last one has
 * gone.
 */
public final class Trash {
  private final Path directory;
  private final Seams seams;

  Trash(Path directory, Seams seams) {
    this.directory = directory;
    this.seams = seams;
  }

  void take(Path version) throws IOException {
    Files.createDirectories(directory);
    String name = version.getFileName() + "-" + seams.wallMillis();
    Path target = directory.resolve(name);
    for (int i = 1; Files.exists(target, LinkOption.NOFOLLOW_LINKS); i++) {
      target = directory.resolve(name + "-" + i);
    }
    Durable.move(version, target);
  }

  /** Whether there is nothing to delete. */
  public boolean isEmpty() throws IOException {
    return Durable.list(directory).isEmpty();
  }

  /**
   * Deletes what is there.
   *
   * @param bytesPerSecond how fast
   * @param stopped ends it early; the rest waits for the next time
   */
  public void empty(long bytesPerSecond, BooleanSupplier stopped) throws IOException {
    for (Path version : Durable.list(directory)) {
      for (Path file : Durable.list(version)) {
        if (stopped.getAsBoolean()) {
          return;
        }
        long bytes = Files.size(file);
        Files.deleteIfExists(file);
        seams.sleep(Duration.ofMillis(1000 * bytes / Math.max(1, bytesPerSecond)));
      }
      Durable.deleteTree(version);
    }
  }
}
