package io.braid.serving.net;

import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Task;
import io.braid.serving.node.ServedStore;
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
  private final NodeService.Options options;
  private final BooleanSupplier moving;
  private final Task task;
  private volatile boolean closed;

  /**
   * @param stores those of the moment, at any moment
   * @param moving whether partitions move, so that nothing may go
   */
  OldVersions(
      Seams seams,
      Collection<ServedStore> stores,
      NodeService.Options options,
      BooleanSupplier moving) {
    this.seams = seams;
    this.stores = stores;
    this.options = options;
    this.moving = moving;
    this.task = seams.start("delete-versions", this::work);
  }

  private void work() {
    while (!closed) {
      for (ServedStore store : stores) {
        if (!moving.getAsBoolean()) {
          attempt(store, () -> store.retire(options.backups()));
        }
      }
      for (ServedStore store : stores) {
        long begun = seams.nanoTime();
        attempt(
            store,
            () ->
                store
                    .versions()
                    .trash()
                    .empty(
                        options.deleteRate(),
                        () ->
                            closed
                                || moving.getAsBoolean()
                                || seams.nanoTime() - begun > TURN.toNanos()));
      }
      seams.sleep(Duration.ofSeconds(1));
    }
  }

  private interface Deletion {
    void run() throws IOException;
  }

  private static void attempt(ServedStore store, Deletion deletion) {
    try {
      deletion.run();
    } catch (IOException | RuntimeException e) {
      LOG.warn("Old versions of {} cannot be deleted now.", store.versions().store(), e);
    }
  }

  @Override
  public void close() {
    closed = true;
    task.stop();
    task.join(PATIENCE);
  }
}
