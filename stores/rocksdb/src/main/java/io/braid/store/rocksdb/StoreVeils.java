package io.braid.store.rocksdb;

import io.braid.core.store.Lift;
import io.braid.core.store.LiftCheck;
import io.braid.core.store.Veils;
import java.util.function.BiConsumer;

/**
 * The veils of the tables: made, lifted ({@link Lifting}) and discarded. What is decided of a veil
 * is saved first and shown alone, so that no call sees one thing of it and then another.
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
    // Nobody need wait for the disk: there is nothing under it yet.
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
    // What is in memory is written before, so that little is left to sync while all others wait.
    open.takingLong(db -> db.engine.sync());
    return open.afterVeiled(
        db ->
            pauses.measure(
                () -> new Lifting(db, clock).run(name, version, start, epoch, family, check)));
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
