package io.braid.batch.changes;

import io.braid.core.runtime.DurableFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Keeps the position of a remote sink: replaced as a whole, after changes were taken.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class PositionFile {
  private final Path file;

  /**
   * @param file created if it is missing
   */
  public PositionFile(Path file) {
    this.file = file;
  }

  /** Returns the position that was written last; empty if none was written. */
  public Optional<Position> read() throws IOException {
    return Files.exists(file)
        ? Optional.of(Position.parse(Files.readString(file)))
        : Optional.empty();
  }

  /** Durable when it returns: a loss of power leaves this position or the one before. */
  public void write(Position position) throws IOException {
    DurableFiles.write(file, position.toString().getBytes(StandardCharsets.UTF_8));
  }
}
