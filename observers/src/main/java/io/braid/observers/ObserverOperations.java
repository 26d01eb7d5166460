package io.braid.observers;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.store.StoreException;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.store.UnknownTableException;
import io.braid.core.transaction.Transactions;
import io.braid.observers.rows.DeadLetter;
import io.braid.observers.schedule.Signals;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apiguardian.api.API;

/**
 * The operations on observers for operators. All of them work on the contents of the store; none
 * needs the code of an observer. Safe for many threads.
 */
@API(status = API.Status.STABLE)
public final class ObserverOperations {
  private final CellStore store;
  private final Seams seams;
  private final Registry registry;
  private final DeadLetterReplay deadLetters;
  private final Backfiller backfiller;
  private final Transactions transactions;
  private final Signals signals;

  ObserverOperations(
      CellStore store,
      Transactions transactions,
      Seams seams,
      Registry registry,
      DeadLetterReplay deadLetters,
      Backfiller backfiller,
      Signals signals) {
    this.store = store;
    this.transactions = transactions;
    this.seams = seams;
    this.registry = registry;
    this.deadLetters = deadLetters;
    this.backfiller = backfiller;
    this.signals = signals;
  }

  /**
   * All registered observers with what is waiting for them, in the order of their columns. Looks at
   * every notification and every dead letter in the store.
   *
   * @throws StoreException when the store cannot be read
   */
  public List<ObserverStatus> list() {
    registry.refresh();
    return new Census(store, seams).take(registry.view(), registry.backfills());
  }

  /**
   * Shows the dead letters, in the order of tables and rows.
   *
   * @param observer of this observer only; of all when empty
   * @throws IllegalArgumentException when there is no such observer
   */
  public void forEachDeadLetter(Optional<String> observer, Consumer<DeadLetter> action) {
    registry.refresh();
    deadLetters.forEach(observer, action);
  }

  /**
   * Makes a dead-lettered change pending again, so that a process with the code runs the observer;
   * if it fails again it becomes a dead letter again. False when there is no dead letter, or not
   * any more.
   *
   * @param key of the row
   * @throws IllegalArgumentException when there is no such observer
   * @throws TabletUnavailableException when the dead letter may still be there: call again
   */
  public boolean replay(String observer, Bytes key) {
    registry.refresh();
    return deadLetters.replay(observer, key);
  }

  /**
   * Replays all dead letters. After a failure the caller may call it again.
   *
   * @param observer replays only the changes of this observer; of all observers when empty
   * @param progress receives each replayed change
   * @return how many changes were replayed
   * @throws IllegalArgumentException when there is no such observer
   * @throws TabletUnavailableException when others may still be there: call again
   */
  public long replayAll(Optional<String> observer, Consumer<DeadLetter> progress) {
    registry.refresh();
    return deadLetters.replayAll(observer, progress);
  }

  /**
   * Pauses an observer in all processes: within {@link ObserverOptions#registryInterval
   * ObserverOptions.registryInterval} no run of it begins. Changes are kept for it; other observers
   * go on. Lasts over restarts.
   *
   * @throws IllegalArgumentException when there is no such observer
   * @throws TabletUnavailableException when it may not be paused: call again
   */
  public void pause(String observer) {
    registry.refresh();
    registry.require(observer);
    registry.pause(observer, true);
  }

  /**
   * Resumes a paused observer in all processes; it deals with all that changed meanwhile.
   *
   * @throws IllegalArgumentException when there is no such observer
   * @throws TabletUnavailableException when it may still be paused: call again
   */
  public void resume(String observer) {
    registry.refresh();
    registry.require(observer);
    registry.pause(observer, false);
    signals.sweep.raise();
  }

  /**
   * Forgets an observer in all processes within an interval of the registry: writers no longer
   * notify it. Waiting changes and dead letters stay in place for a later observer of the same
   * name.
   *
   * @throws IllegalArgumentException when there is no such observer
   * @throws TabletUnavailableException when the observer may still be registered: call again
   */
  public void drop(String observer) {
    registry.refresh();
    registry.require(observer);
    registry.unregister(observer);
  }

  /**
   * Requests that an observer runs once on every row that has the observed column, also on rows
   * written before its registration. Processes that run observers do this in the background, even
   * if some of them die or restart. Changes that the observer has acknowledged are not run again.
   * Does nothing if there was such a request before.
   *
   * @param again whether a backfill that is done begins again
   * @return the progress of the backfill
   * @throws IllegalArgumentException when there is no such observer, or the observer is weak: its
   *     column is never written, so there are no rows to find
   * @throws TabletUnavailableException when the request may not have been stored: call again
   */
  public Backfill requestBackfill(String observer, boolean again) {
    registry.refresh();
    if (registry.require(observer).weak()) {
      throw new IllegalArgumentException(
          "Observer "
              + observer
              + " is weak: its column is only notified and holds nothing to begin from. Notify the"
              + " rows that it runs on.");
    }
    return backfiller.request(observer, registry.backfills().get(observer), again);
  }

  /**
   * Does the same as {@link #requestBackfill requestBackfill}, and runs the backfill in the
   * caller's thread. Makes the rows pending; the observer runs in the processes that have its code.
   * After a failure the caller may call it again.
   *
   * @param progress receives the progress from time to time
   */
  public Backfill backfill(String observer, boolean again, Consumer<Backfill> progress) {
    Backfill backfill = requestBackfill(observer, again);
    Watch watch = registry.require(observer);
    if (!backfill.done()) {
      seams.sleep(backfiller.untilAllKnow(observer, backfill));
    }
    while (!backfill.done() && !Thread.currentThread().isInterrupted()) {
      progress.accept(backfill);
      backfill = backfiller.step(watch, backfill);
    }
    progress.accept(backfill);
    return backfill;
  }

  /** One step of each backfill that was asked for; whether there is more to do now. */
  boolean stepBackfills() {
    registry.refresh();
    boolean more = false;
    for (Map.Entry<String, Backfill> each : registry.backfills().entrySet()) {
      Backfill backfill = each.getValue();
      if (!backfill.done() && backfiller.untilAllKnow(each.getKey(), backfill).isZero()) {
        more |= step(each.getKey(), backfill);
      }
    }
    return more;
  }

  private boolean step(String observer, Backfill backfill) {
    String lock = "backfill/" + observer;
    String owner = seams.liveness().token();
    if (!seams.locks().tryLock(lock, owner)) {
      return false;
    }
    try {
      return !backfiller.step(registry.require(observer), backfill).done();
    } catch (UnknownTableException e) {
      return false; // it goes on when there is such a table again
    } finally {
      seams.locks().unlock(lock, owner);
    }
  }
}
