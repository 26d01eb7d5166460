package io.braid.backup;

import io.braid.Braid;
import io.braid.batch.engine.OpenLoads;
import io.braid.groups.GroupInfo;

/**
 * Key groups and loads in a copy of a store that cannot continue there, because a part of them is
 * elsewhere: the log of a key group, the files of a load. They are ended; otherwise their rows and
 * garbage would be held for ever. Commits of a group from before the backup was begun are in the
 * store ({@link Backup#create}). Uncommitted data of a load is not visible to any reader.
 */
final class OrphanCleanup {
  private final Braid db;

  OrphanCleanup(Braid db) {
    this.db = db;
  }

  void end() {
    for (GroupInfo each : db.groups().list()) {
      db.groups().giveUp(each);
    }
    new OpenLoads(db.loads()).endAll();
  }
}
