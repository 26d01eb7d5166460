package io.braid.cli.shell;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/** The file of typed lines: in the state directory of the user, readable only by the user. */
final class HistoryFile {
  private HistoryFile() {}

  /** The file, if it can be written. */
  static Optional<Path> ready() {
    String state = System.getenv("XDG_STATE_HOME");
    Path directory =
        state == null || state.isBlank()
            ? Path.of(System.getProperty("user.home"), ".local", "state", "braid")
            : Path.of(state, "braid");
    try {
      Files.createDirectories(directory);
      Path file = directory.resolve("history");
      if (Files.notExists(file)) {
        Files.createFile(
            file,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      }
      return Optional.of(file);
    } catch (IOException | UnsupportedOperationException e) {
      return Optional.empty();
    }
  }
}
