package io.braid.backup;

import io.braid.Braid;
import io.braid.core.transaction.Transactions.Pin;
import org.apiguardian.api.API;

/**
 * The pins of backups of rows: each names the process that makes one, and goes when that has died.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class BackupPins {
  private static final String PREFIX = "backup-";
  private static final char OWNER = '/';

  private BackupPins() {}

  static String name(Braid db, long timestamp) {
    return PREFIX + timestamp + OWNER + db.loads().seams().liveness().token();
  }

  /** Removes the pins of backups whose process has died. */
  public static void removeDead(Braid db) {
    for (Pin pin : db.transactions().pins()) {
      String own = PREFIX + pin.timestamp() + OWNER;
      if (pin.name().startsWith(own)
          && !db.loads().seams().liveness().isAlive(pin.name().substring(own.length()))) {
        db.transactions().unpin(pin.name());
      }
    }
  }
}
