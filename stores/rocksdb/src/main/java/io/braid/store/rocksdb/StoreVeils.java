package io.braid.store.rocksdb;

import io.braid.core.store.Lift;
import io.braid.core.store.LiftCheck;
import io.braid.core.store.Veils;
import io.braid.store.rocksdb.concurrency.StoreClock;
import io.braid.store.rocksdb.tables.Table;
import java.util.function.BiConsumer;

/**
 * Makes, lifts ({@link VeilLifter}) and discards the veils of the tables. A decision on a veil is
 * saved first. Then it is shown alone in the gate, so that no call sees first one state of the veil
 * and then another.
 */
final class StoreVeils {
  private final OpenDatabase open;
  private final StoreClock clock;
  private final Pauses pauses;

  StoreVeils(OpenDatabase open, StoreClock clock, Pauses pauses) {
    this.open = open;
    this.clock = clock;
    this.pauses = pauses;
  }

  void veil(String name, long version, boolean wins) {
    // Saved beside the calls, so that no call waits for the disk: nothing is under the veil yet.
    open.change(db -> newVeil(db, name, version, wins, db.catalog::saveVeil));
    open.alone(
        db ->
            newVeil(
                db,
                name,
                version,
                wins,
                (table, veil) -> {
                  db.catalog.showVeil(table, veil);
                  db.forgetNewest();
                }));
  }

  private static void newVeil(
      Database db, String name, long version, boolean wins, BiConsumer<Table, Veils.Veil> action) {
    Table table = db.catalog.table(name);
    table.checkSnapshot(version);
    Veils.Veil veil = table.veils().of(version, wins);
    if (!table.veils().all().contains(veil)) {
      action.accept(table, veil);
    }
  }

  Lift lift(String name, long version, long start, long epoch, String family, LiftCheck check) {
    // Data in memory is written first, so that little is left to sync while all others wait.
    open.takingLong(db -> db.engine.sync());
    return open.afterVeiled(
        db ->
            pauses.measure(
                () -> new VeilLifter(db, clock).run(name, version, start, epoch, family, check)));
  }

  boolean discard(String name, long version) {
    return open.afterVeiled(
        db -> {
          Table table = db.catalog.table(name);
          Veils.Veil veil = table.veils().of(version, false);
          if (veil.isLifted()) {
            return false;
          }
          Veils.Veil discarded = new Veils.Veil(version, 0, veil.wins());
          db.catalog.saveVeil(table, discarded);
          db.catalog.showVeil(table, discarded);
          return true;
        });
  }

  Veils all(String table) {
    return open.inside(db -> db.catalog.table(table).veils());
  }
}
