package io.braid.serving.chunk;

import java.nio.file.Path;

/**
 * A file of a store is damaged: no answer can be given from the damaged place. Trying again does
 * not help; the version must be fetched or built again.
 */
public final class CorruptChunkException extends RuntimeException {
  public CorruptChunkException(Path file, String what) {
    super(
        "File "
            + file
            + " is damaged: "
            + what
            + ". Fetch or build this version of the store again.");
  }
}
