package io.braid.batch.engine;

import io.braid.batch.LoadContext;
import io.braid.batch.atomic.AtomicLoad;
import io.braid.batch.rows.Conflicts;
import io.braid.core.cells.Families;
import io.braid.core.loads.LoadDecisions;
import io.braid.core.store.TableSchema;
import io.braid.core.store.Veils;
import io.braid.core.time.Timestamp;
import io.braid.core.transaction.Transactions.Pin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The loads in a database that are neither visible nor given up, according to the database itself.
 * Includes loads whose job folder is lost, or is with the database that this one is a copy of. Such
 * loads hold their table and the garbage collection.
 */
public final class OpenLoads {
  private static final String PINS = "load/";
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final LoadContext database;

  /**
   * A load that has not ended.
   *
   * @param id the id of its job; for a load by files whose pin is gone, a name made of its veil
   * @param byFiles whether a veil hides it; else its rows are staged
   */
  public record OpenLoad(String id, String table, long start, boolean byFiles) {}

  public OpenLoads(LoadContext database) {
    this.database = database;
  }

  /** Returns the loads of jobs: {@link EngineWrites} lists the others. */
  public List<OpenLoad> ofJobs() {
    List<EngineWrites.Write> engines = new EngineWrites(database).all();
    return all().stream()
        .filter(
            load ->
                engines.stream()
                    .noneMatch(
                        write ->
                            load.start() == write.start() && load.table().equals(write.table())))
        .toList();
  }

  /**
   * Returns all loads. Several may have one id: a staged load, and loads by files into other
   * tables.
   */
  private List<OpenLoad> all() {
    List<OpenLoad> found = new ArrayList<>();
    if (database.store().table(Families.SYSTEM_TABLE).isEmpty()) {
      return found;
    }
    LoadDecisions.open(database.store())
        .forEach((id, state) -> found.add(new OpenLoad(id, state.table(), state.start(), false)));
    for (TableSchema table : database.store().tables()) {
      for (Veils.Veil veil : database.store().veils(table.name()).all()) {
        if (veil.isDown()) {
          String id = idOf(veil.version()).orElse("veil-" + Timestamp.toText(veil.version()));
          found.add(new OpenLoad(id, table.name(), veil.version(), true));
        }
      }
    }
    return found;
  }

  /** Returns the id in the name of the pin that a load by files holds. */
  private Optional<String> idOf(long start) {
    return database.transactions().pins().stream()
        .filter(pin -> isOf(pin, start))
        .map(pin -> pin.name().substring(PINS.length()).replaceFirst("@[^@]*$", ""))
        .findFirst();
  }

  private static boolean isOf(Pin pin, long start) {
    return pin.name().startsWith(PINS) && pin.timestamp() == start;
  }

  /** Returns the first load of {@link #ofJobs} with this id. */
  public Optional<OpenLoad> find(String id) {
    return ofJobs().stream().filter(load -> load.id().equals(id)).findFirst();
  }

  /**
   * Ends a load: gives it up, or takes it to its end if it is past its decision. Its job cannot
   * continue it then.
   *
   * @return whether it has committed
   */
  public boolean end(OpenLoad load) {
    boolean committed = load.byFiles() ? !discard(load) : !abort(load);
    for (Pin pin : database.transactions().pins()) {
      if (isOf(pin, load.start())) {
        database.transactions().unpin(pin.name());
      }
    }
    return committed;
  }

  private boolean discard(OpenLoad load) {
    return database.store().discard(load.table(), load.start());
  }

  private boolean abort(OpenLoad load) {
    AtomicLoad staged =
        new AtomicLoad(database, load.id(), load.table(), load.start(), Conflicts.NEWER, PATIENCE);
    boolean aborted = staged.abort();
    if (!aborted) {
      staged.commit();
    }
    staged.settle();
    return aborted;
  }

  /**
   * Ends all loads of a copy of a database, also those of engines: the processes that began them
   * have the original. Files are left where they are, since they belong to the original.
   */
  public void endAll() {
    all().forEach(this::end);
    EngineWrites engines = new EngineWrites(database);
    engines.all().forEach(write -> engines.end(write.id()));
    for (Pin pin : database.transactions().pins()) {
      if (pin.name().startsWith(PINS)) {
        database.transactions().unpin(pin.name());
      }
    }
  }
}
