package io.braid.backup;

import org.jspecify.annotations.Nullable;

/** A backup was not made, or not restored; everything from before is unchanged. */
public class BackupException extends RuntimeException {
  BackupException(String message) {
    super(message);
  }

  BackupException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
