package io.braid.batch.snapshot;

import io.braid.batch.Parallel;
import io.braid.core.protocol.Backoff;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;
import io.braid.core.runtime.Task;
import io.braid.core.store.StoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The sender daemons (algorithm 2, step 3a): they sort closed snapshots if the algorithm wants
 * that, write them to the disk and make them available. Tasks wait while too many are on their way.
 */
final class Senders {
  private static final Duration LOOK = Duration.ofMillis(50);

  private final Path directory;
  private final String table;
  private final boolean sort;
  private final int most;
  private final BiConsumer<SnapshotName, Long> arrived;
  private final Signal room;
  private final Signal work;
  private final Object monitor = new Object();
  private final Deque<SnapshotDelivery> waiting = new ArrayDeque<>();
  private final Set<SnapshotName> under = new HashSet<>();
  private final List<Task> senders = new ArrayList<>();
  private @Nullable Throwable failure;
  private boolean closed;

  /**
   * @param arrived receives each snapshot that is on the disk, and its length
   */
  Senders(
      Seams seams,
      Path directory,
      String table,
      boolean sort,
      int count,
      BiConsumer<SnapshotName, Long> arrived) {
    this.directory = directory;
    this.table = table;
    this.sort = sort;
    this.most = count;
    this.arrived = arrived;
    this.room = seams.signal();
    this.work = seams.signal();
    for (int i = 0; i < count; i++) {
      senders.add(seams.start("braid-load-sender-" + i, this::run));
    }
  }

  /**
   * Takes a snapshot, as soon as there is room.
   *
   * @throws StoreException when the load has ended, or the thread was interrupted
   */
  void send(SnapshotDelivery snapshot) {
    while (true) {
      stopIfInterrupted();
      synchronized (monitor) {
        rethrow();
        if (closed) {
          throw interrupted();
        }
        if (waiting.size() < most) {
          waiting.add(snapshot);
          under.add(snapshot.name());
          break;
        }
      }
      room.await(LOOK);
    }
    work.raise();
  }

  /**
   * Waits until these are on the disk.
   *
   * @throws StoreException when the thread was interrupted
   */
  void await(List<SnapshotName> snapshots) {
    for (SnapshotName each : snapshots) {
      while (true) {
        stopIfInterrupted();
        synchronized (monitor) {
          rethrow();
          if (!under.contains(each)) {
            break;
          }
        }
        room.await(LOOK);
      }
    }
    room.raise();
  }

  void close() {
    synchronized (monitor) {
      closed = true;
    }
    work.raise();
    for (Task sender : senders) {
      while (!sender.join(LOOK) && !Thread.currentThread().isInterrupted()) {
        work.raise();
      }
    }
  }

  private static void stopIfInterrupted() {
    if (Backoff.interrupted()) {
      throw interrupted();
    }
  }

  private static StoreException interrupted() {
    return new StoreException("The load was interrupted: resume it.");
  }

  private void rethrow() {
    if (failure != null) {
      throw Parallel.unchecked(failure);
    }
  }

  private void run() {
    while (true) {
      SnapshotDelivery next;
      synchronized (monitor) {
        next = waiting.poll();
        if (next == null && closed) {
          break;
        }
      }
      if (next == null) {
        work.await(LOOK);
        continue;
      }
      Throwable failed = send1(next);
      synchronized (monitor) {
        under.remove(next.name());
        failure = failure == null ? failed : failure;
      }
      room.raise();
      work.raise();
    }
    work.raise();
  }

  private @Nullable Throwable send1(SnapshotDelivery snapshot) {
    try {
      if (sort) {
        RecordSort.sort(snapshot.records());
      }
      long length =
          SnapshotFile.write(
              directory.resolve(snapshot.name().file()), table, sort, snapshot.records());
      arrived.accept(snapshot.name(), length);
      return null;
    } catch (IOException | RuntimeException | Error e) {
      return e;
    }
  }
}
