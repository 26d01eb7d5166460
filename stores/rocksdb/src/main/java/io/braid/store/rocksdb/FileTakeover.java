package io.braid.store.rocksdb;

import io.braid.store.rocksdb.concurrency.StoreClock;
import io.braid.store.rocksdb.engine.Tuning;
import io.braid.store.rocksdb.tables.Table;
import java.nio.file.Path;
import java.util.List;

/**
 * Takes sorted files over while calls go on. Waits until there is room for the files, does the slow
 * work beforehand, and moves the files in ({@link Ingestion}). Files of which no reader can see
 * anything move in beside the calls, others alone.
 */
final class FileTakeover {
  private final OpenDatabase open;
  private final StoreClock clock;
  private final Pauses pauses;

  FileTakeover(OpenDatabase open, StoreClock clock, Pauses pauses) {
    this.open = open;
    this.clock = clock;
    this.pauses = pauses;
  }

  void run(String name, String family, List<Path> files) {
    Ingestion ingestion =
        open.inside(
            db -> {
              Table table = db.catalog.table(name);
              Ingestion prepared = new Ingestion(table, table.family(family), files);
              prepared.verify();
              return prepared;
            });
    awaitRoom(name, family);
    open.takingLong(
        db -> {
          ingestion.prepare(db);
          db.bounds.raiseFloor(db.engine, ingestion.maxVersion());
          db.engine.sync();
        });
    if (!movedHidden(ingestion)) {
      open.alone(db -> move(ingestion, () -> ingestion.move(db)));
    }
    ingestion.cleanUp();
  }

  /** Waits while compactions are behind: files that are taken over then would only add to it. */
  private void awaitRoom(String name, String family) {
    for (int i = 0; i < Tuning.INGEST_WAITS; i++) {
      boolean room =
          open.inside(
              db -> db.engine.hasRoomForFiles(db.catalog.table(name).family(family).handle));
      if (room) {
        return;
      }
      try {
        Thread.sleep(Tuning.INGEST_WAIT_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /** Beside all calls but those that lift or discard a veil; false when it cannot be so. */
  private boolean movedHidden(Ingestion ingestion) {
    return open.besideVeiled(
        db -> {
          boolean hidden = ingestion.isHidden(db);
          if (hidden) {
            move(ingestion, () -> ingestion.moveHidden(db));
          }
          return hidden;
        });
  }

  /** RocksDB keeps writers waiting meanwhile. */
  private void move(Ingestion ingestion, Runnable move) {
    pauses.measure(
        () -> {
          clock.raise(ingestion.maxVersion());
          move.run();
          return true;
        });
  }
}
