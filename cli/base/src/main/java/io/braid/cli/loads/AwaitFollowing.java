package io.braid.cli.loads;

import io.braid.cli.command.AwaitStop;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Ends a verb that follows when the process is to end, with its database closed. */
final class AwaitFollowing implements AutoCloseable {
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final @Nullable AwaitStop stop;

  AwaitFollowing(boolean follow) {
    AwaitStop awaited = follow ? new AwaitStop() : null;
    stop = awaited;
    if (awaited != null) {
      Thread waiter =
          new Thread(
              () -> {
                awaited.await();
                stopped.set(true);
              },
              "braid-stop");
      waiter.setDaemon(true);
      waiter.start();
    }
  }

  boolean isStopped() {
    return stopped.get() || Thread.currentThread().isInterrupted();
  }

  @Override
  public void close() {
    if (stop != null) {
      stop.close();
    }
  }
}
