package io.braid.batch.snapshot;

import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Snapshots that are available, and which of them are imported next. */
final class Arrivals {
  private static final Duration LOOK = Duration.ofMillis(50);

  /** So many are merged at once: each has a buffer. */
  private static final int MOST_MERGED = 512;

  private final Seams seams;
  private final Algorithm algorithm;
  private final Signal work;
  private final Object monitor = new Object();
  private final Map<String, List<SnapshotName>> available = new TreeMap<>();
  private boolean complete;
  private boolean closed;

  Arrivals(Seams seams, Algorithm algorithm) {
    this.seams = seams;
    this.algorithm = algorithm;
    this.work = seams.signal();
  }

  void add(SnapshotName name) {
    synchronized (monitor) {
      available.computeIfAbsent(name.tablet(), tablet -> new ArrayList<>()).add(name);
    }
    work.raise();
  }

  /** No more come. */
  void complete() {
    synchronized (monitor) {
      complete = true;
    }
    work.raise();
  }

  /** Gives out no more snapshots. */
  void close() {
    synchronized (monitor) {
      closed = true;
    }
    work.raise();
  }

  /**
   * Waits for the next snapshots to import together; null when no more come.
   *
   * @param last the tablet that the receiver imported last
   */
  @Nullable List<SnapshotName> take(@Nullable String last) {
    while (!Thread.currentThread().isInterrupted()) {
      List<SnapshotName> taken = null;
      boolean end;
      synchronized (monitor) {
        end = closed || complete && available.isEmpty();
        if (!end && !available.isEmpty() && (complete || algorithm != Algorithm.HADOOP_SORT)) {
          taken = choose(last);
        }
      }
      if (end) {
        work.raise();
        return null;
      }
      if (taken != null) {
        work.raise();
        return taken;
      }
      work.await(LOOK);
    }
    return null;
  }

  private List<SnapshotName> choose(@Nullable String last) {
    String tablet = tablet(last);
    List<SnapshotName> all = java.util.Objects.requireNonNull(available.remove(tablet));
    // Two snapshots of a tablet may overlap, so an algorithm that merges takes all there are.
    int most =
        switch (algorithm) {
          case IMPORT_SORT -> 1;
          case VANILLA_SORT -> MOST_MERGED;
          default -> Integer.MAX_VALUE;
        };
    if (all.size() <= most) {
      return all;
    }
    available.put(tablet, new ArrayList<>(all.subList(most, all.size())));
    return new ArrayList<>(all.subList(0, most));
  }

  /** Algorithm 2, step 3, and algorithm 5, step 4. */
  private String tablet(@Nullable String last) {
    if (algorithm == Algorithm.IMPORT_SORT) {
      if (last != null && available.containsKey(last)) {
        return last;
      }
      List<String> all = List.copyOf(available.keySet());
      return all.get(seams.random().nextInt(all.size()));
    }
    String most = available.keySet().iterator().next();
    for (Map.Entry<String, List<SnapshotName>> each : available.entrySet()) {
      if (each.getValue().size() > java.util.Objects.requireNonNull(available.get(most)).size()) {
        most = each.getKey();
      }
    }
    return most;
  }
}
