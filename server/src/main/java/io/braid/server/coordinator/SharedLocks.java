package io.braid.server.coordinator;

import io.braid.core.runtime.AdvisoryLocks;
import io.braid.core.time.TimestampUnavailableException;
import java.io.IOException;

/**
 * The lock service of several processes: the coordinator's memory. While there is none nobody gets
 * a lock, and with a new coordinator all are free.
 */
final class SharedLocks implements AdvisoryLocks {
  private final Directory directory;

  SharedLocks(Directory directory) {
    this.directory = directory;
  }

  @Override
  public boolean tryLock(String name, String owner) {
    try {
      Office office = directory.office();
      return office != null
          ? office.locks().tryLock(directory, name, owner)
          : ask(Frames.TRY_LOCK, name, owner) != 0;
    } catch (TimestampUnavailableException | IOException e) {
      return false;
    }
  }

  @Override
  public void unlock(String name, String owner) {
    try {
      Office office = directory.office();
      if (office != null) {
        office.locks().unlock(name, owner);
      } else {
        ask(Frames.UNLOCK, name, owner);
      }
    } catch (TimestampUnavailableException | IOException e) {
      // The connection has ended, or the office: so has the lock.
    }
  }

  private long ask(int kind, String name, String owner) throws IOException {
    return directory
        .connection()
        .ask(
            kind,
            to -> {
              Frames.writeText(to, name);
              Frames.writeText(to, owner);
            });
  }
}
