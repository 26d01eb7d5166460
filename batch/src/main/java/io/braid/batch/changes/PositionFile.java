package io.braid.batch.changes;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/** Keeps the position of a sink that is elsewhere: replaced as a whole, after what was taken. */
public final class PositionFile {
  private final Path file;

  /**
   * @param file made when it is not there
   */
  public PositionFile(Path file) {
    this.file = file;
  }

  /** What was written last; empty when nothing was. */
  public Optional<Position> read() throws IOException {
    return Files.exists(file)
        ? Optional.of(Position.parse(Files.readString(file)))
        : Optional.empty();
  }

  /** Durable when it returns: a loss of power leaves this position or the one before. */
  public void write(Position position) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + ".next");
    Files.writeString(next, position.toString());
    sync(next, StandardOpenOption.WRITE);
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    Path directory = file.toAbsolutePath().getParent();
    if (directory != null) {
      sync(directory, StandardOpenOption.READ);
    }
  }

  private static void sync(Path path, StandardOpenOption how) throws IOException {
    try (FileChannel channel = FileChannel.open(path, how)) {
      channel.force(true);
    }
  }
}
