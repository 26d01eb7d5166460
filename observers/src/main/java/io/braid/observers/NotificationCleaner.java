package io.braid.observers;

import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.StoreException;
import io.braid.observers.rows.ClearNotifications;
import io.braid.observers.rows.Epochs;
import io.braid.observers.schedule.Pauses;
import io.braid.observers.schedule.WorkQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gathers notifications that have been dealt with and removes many in one call. The rows are free
 * meanwhile: {@link ClearNotifications} is right whenever it runs, and a removal that is late or
 * lost only costs another visit. For the same reason nothing waits for a sync. For one task.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class NotificationCleaner {
  private static final Logger LOG = LoggerFactory.getLogger(NotificationCleaner.class);
  private static final int MOST = 64;
  private static final long LONGEST_WAIT_NANOS = Duration.ofMillis(5).toNanos();

  private final CellStore store;
  private final Epochs epochs;
  private final WorkQueue queue;
  private final Pauses pauses;
  private final Seams seams;
  private final List<HandledNotifications> gathered = new ArrayList<>();
  private long since;

  public NotificationCleaner(
      CellStore store, Epochs epochs, WorkQueue queue, Pauses pauses, Seams seams) {
    this.store = store;
    this.epochs = epochs;
    this.queue = queue;
    this.pauses = pauses;
    this.seams = seams;
  }

  /** The notifications that have been dealt with; see {@link ClearNotifications.Request}. */
  private record HandledNotifications(
      Row row, ColumnName column, boolean weak, long start, List<Long> versions) {
    ClearNotifications.Request request(long epoch) {
      return new ClearNotifications.Request(row, epoch, column, weak, start, versions);
    }
  }

  public void clear(Row row, ColumnName column, boolean weak, long start, List<Long> versions) {
    if (gathered.isEmpty()) {
      since = seams.nanoTime();
    }
    gathered.add(new HandledNotifications(row, column, weak, start, versions));
  }

  /** Whether what was gathered should not wait for more. */
  boolean isDue() {
    return gathered.size() >= MOST
        || !gathered.isEmpty() && seams.nanoTime() - since >= LONGEST_WAIT_NANOS;
  }

  /** Removes what was gathered. Rows where that failed are put into the queue. */
  public void flush() {
    List<HandledNotifications> all = List.copyOf(gathered);
    gathered.clear();
    try {
      send(send(all)).forEach(this::visitAgain);
    } catch (StoreException e) {
      LOG.debug("Notifications are left for another visit.", e);
      all.forEach(this::visitAgain);
    } catch (RuntimeException e) {
      LOG.warn("The removal of notifications went wrong; they are left for another visit.", e);
      all.forEach(this::visitAgain);
    }
  }

  private void visitAgain(HandledNotifications handled) {
    queue.addLater(handled.row, seams.nanoTime() + pauses.nanosAfter(2));
  }

  /** Sends removals; those that are to be sent with another epoch. */
  private List<HandledNotifications> send(List<HandledNotifications> all) {
    if (all.isEmpty()) {
      return all;
    }
    List<ClearNotifications.Request> requests = new ArrayList<>(all.size());
    all.forEach(handled -> requests.add(handled.request(epochs.of(handled.row.table()))));
    List<Outcome<ClearNotifications.Answer>> outcomes =
        store.execute(ClearNotifications.INSTANCE, requests, Durability.BUFFERED);
    List<HandledNotifications> stale = new ArrayList<>(0);
    for (int i = 0; i < all.size(); i++) {
      HandledNotifications handled = all.get(i);
      if (!(outcomes.get(i) instanceof Outcome.Done<ClearNotifications.Answer> done)) {
        visitAgain(handled);
      } else if (done.result().kind() == ClearNotifications.Kind.STALE_EPOCH) {
        epochs.learn(handled.row.table(), done.result().epoch());
        stale.add(handled);
      } else if (done.result().kind() != ClearNotifications.Kind.REMOVED) {
        visitAgain(handled);
      }
    }
    return stale;
  }
}
