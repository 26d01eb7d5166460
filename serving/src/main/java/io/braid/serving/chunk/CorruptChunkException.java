package io.braid.serving.chunk;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import java.nio.file.Path;
import org.apiguardian.api.API;

/**
 * A file of a store is damaged: no answer can be given from the damaged place. Trying again does
 * not help; the version must be fetched or built again.
 */
@API(status = API.Status.EXPERIMENTAL)
public final class CorruptChunkException extends BraidException {
  public CorruptChunkException(Path file, String what) {
    super(
        "File "
            + file
            + " is damaged: "
            + what
            + ". Fetch or build this version of the store again.");
  }

  @Override
  public ErrorCode code() {
    return ErrorCode.DAMAGED;
  }
}
