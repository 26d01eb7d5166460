package io.braid.serving.push;

import io.braid.core.runtime.EnduringLoop;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;
import io.braid.core.runtime.Task;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Holds a push's lease at its nodes until it is closed. */
final class LeaseKeeper implements AutoCloseable {
  static final Duration LENGTH = Duration.ofSeconds(30);
  private static final Duration BETWEEN = Duration.ofSeconds(8);

  private final PushPlan plan;
  private final List<PushNode> nodes;
  private final Signal end;
  private final Task task;
  private volatile boolean closed;

  LeaseKeeper(Seams seams, PushPlan plan, List<PushNode> nodes) {
    this.plan = plan;
    this.nodes = List.copyOf(nodes);
    this.end = seams.signal();
    this.task = seams.start("push-lease", EnduringLoop.loop(this::keep));
  }

  private void keep() {
    while (!closed) {
      end.await(BETWEEN);
      for (PushNode node : nodes) {
        if (!closed) {
          renew(node);
        }
      }
    }
  }

  private void renew(PushNode node) {
    try {
      node.lease(plan.store(), plan.id(), LENGTH);
    } catch (IOException | RuntimeException e) {
      // A node where the lease is lost refuses what comes next of this push, and says why.
      return;
    }
  }

  @Override
  public void close() {
    closed = true;
    end.raise();
    task.join(Duration.ofSeconds(5));
    release(plan, nodes);
  }

  static void release(PushPlan plan, List<PushNode> nodes) {
    for (PushNode node : nodes) {
      try {
        node.release(plan.store(), plan.id());
      } catch (IOException | RuntimeException e) {
        // It ends by itself.
        continue;
      }
    }
  }
}
