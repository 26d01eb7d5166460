package io.braid.backup;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** A backup was not made, or not restored; everything from before is unchanged. */
@API(status = API.Status.EXPERIMENTAL)
public class BackupException extends BraidException {
  BackupException(String message) {
    super(message);
  }

  BackupException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  @Override
  public ErrorCode code() {
    return ErrorCode.BACKUP;
  }
}
