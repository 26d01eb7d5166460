package io.braid.serving.rebalance;

import io.braid.core.runtime.EnduringLoop;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;
import io.braid.core.runtime.Task;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Holds the lease of the cluster's partitions at all nodes, from {@link #take} on. */
final class RebalanceLease implements AutoCloseable {
  private static final Duration LENGTH = Duration.ofSeconds(30);
  private static final Duration RENEW = Duration.ofSeconds(8);

  private final Seams seams;
  private final RebalanceSteps steps;
  private final String run;
  private final Signal end;
  private volatile boolean closed;
  private @Nullable Task task;

  RebalanceLease(Seams seams, RebalanceSteps steps, String run) {
    this.seams = seams;
    this.steps = steps;
    this.run = run;
    this.end = seams.signal();
  }

  /** Takes it, and keeps it from then on; what was taken when one refuses is to be released. */
  void take() {
    steps.all("take its lease", node -> node.leaseCluster(run, LENGTH));
    task = seams.start("rebalance-lease", EnduringLoop.loop(this::keep));
  }

  private void keep() {
    while (!closed) {
      end.await(RENEW);
      for (RebalanceNode node : steps.nodes()) {
        if (!closed) {
          renew(node);
        }
      }
    }
  }

  private void renew(RebalanceNode node) {
    try {
      node.leaseCluster(run, LENGTH);
    } catch (IOException | RuntimeException e) {
      // A node where the lease is lost refuses what comes next, and says why.
      return;
    }
  }

  void release() {
    for (RebalanceNode node : steps.nodes()) {
      try {
        node.releaseCluster(run);
      } catch (IOException | RuntimeException e) {
        // It ends by itself.
        continue;
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    end.raise();
    Task keeping = task;
    if (keeping != null) {
      keeping.join(Duration.ofSeconds(5));
    }
    release();
  }
}
