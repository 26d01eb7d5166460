package io.braid.backup;

import io.braid.Braid;
import io.braid.groups.Group;
import io.braid.groups.GroupException;
import io.braid.groups.GroupInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings what key groups have committed into the store, where a backup finds it. */
final class ShippedGroups {
  private static final Logger LOG = LoggerFactory.getLogger(ShippedGroups.class);

  private final Braid db;

  ShippedGroups(Braid db) {
    this.db = db;
  }

  /** A group whose commits the store refuses does not keep the rest from being backed up. */
  void bring() {
    for (GroupInfo each : db.groups().list()) {
      Group group = null;
      try {
        group = db.groups().open(each.name());
        group.ship();
      } catch (GroupException e) {
        LOG.warn(
            "What group {} has yet to ship is not in the backup: {}", each.name(), e.getMessage());
      } finally {
        if (group != null) {
          group.detach();
        }
      }
    }
  }
}
