package io.braid.serving.net;

import io.braid.core.runtime.EnduringLoop;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Task;
import io.braid.serving.node.ServedStore;
import io.braid.serving.node.Trash;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The duty that lets old versions go, of all stores in turn: one with much to delete does not hold
 * up the others.
 */
final class OldVersions implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OldVersions.class);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** How long one store deletes before the next one may. */
  private static final Duration TURN = Duration.ofSeconds(1);

  private final Seams seams;
  private final Collection<ServedStore> stores;
  private final Trash dropped;
  private final NodeService.Options options;
  private final BooleanSupplier moving;
  private final Task task;
  private volatile boolean closed;

  /**
   * @param stores those of the moment, at any moment
   * @param dropped stores that were taken away
   * @param moving whether partitions move, so that nothing may go
   */
  OldVersions(
      Seams seams,
      Collection<ServedStore> stores,
      Trash dropped,
      NodeService.Options options,
      BooleanSupplier moving) {
    this.seams = seams;
    this.stores = stores;
    this.dropped = dropped;
    this.options = options;
    this.moving = moving;
    this.task = seams.start("delete-versions", EnduringLoop.loop(this::work));
  }

  private void work() {
    while (!closed) {
      for (ServedStore store : stores) {
        if (!moving.getAsBoolean()) {
          attempt(name(store), () -> store.retire(options.backups()));
        }
      }
      for (ServedStore store : stores) {
        attempt(name(store), () -> empty(store.versions().trash()));
      }
      attempt("stores that were taken away", () -> empty(dropped));
      seams.sleep(Duration.ofSeconds(1));
    }
  }

  /** For a turn. */
  private void empty(Trash trash) throws IOException {
    long begun = seams.nanoTime();
    trash.empty(
        options.deleteRate(),
        () -> closed || moving.getAsBoolean() || seams.nanoTime() - begun > TURN.toNanos());
  }

  private static String name(ServedStore store) {
    return store.versions().store();
  }

  private interface Deletion {
    void run() throws IOException;
  }

  private static void attempt(String whose, Deletion deletion) {
    try {
      deletion.run();
    } catch (IOException | RuntimeException e) {
      LOG.warn("Old versions of {} cannot be deleted now.", whose, e);
    }
  }

  @Override
  public void close() {
    closed = true;
    task.stop();
    task.join(PATIENCE);
  }
}
