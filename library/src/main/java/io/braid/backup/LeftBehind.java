package io.braid.backup;

import io.braid.Braid;
import io.braid.batch.engine.OpenLoads;
import io.braid.groups.GroupInfo;

/**
 * What stands in a copy of a store and cannot go on there, because a part of it lies elsewhere: the
 * log of a key group, the files of a load. It is ended, or its rows and its garbage would be held
 * for ever. What a group had committed before the backup was begun is in the store ({@link
 * Backup#create}); what a load had not is seen by nobody.
 */
final class LeftBehind {
  private final Braid db;

  LeftBehind(Braid db) {
    this.db = db;
  }

  void end() {
    for (GroupInfo each : db.groups().list()) {
      db.groups().giveUp(each);
    }
    new OpenLoads(db.loads()).endAll();
  }
}
