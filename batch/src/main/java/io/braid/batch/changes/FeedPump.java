package io.braid.batch.changes;

import io.braid.core.runtime.Seams;
import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Brings a feed to a sink. */
public final class FeedPump {
  private static final int BATCH = 1_000;
  private static final Duration PAUSE = Duration.ofMillis(200);

  /** How often a sink is told the resolved timestamp while nothing changes. */
  private static final Duration TELL = Duration.ofSeconds(5);

  private final ChangeFeed feed;
  private final FeedSink sink;
  private final Seams seams;

  public FeedPump(ChangeFeed feed, FeedSink sink, Seams seams) {
    this.feed = feed;
    this.sink = sink;
    this.seams = seams;
  }

  /**
   * Brings over what there is.
   *
   * @param follow goes on with what comes, until stopped
   * @param stopped asked between batches
   * @return how many changes of rows the sink took
   */
  public long run(boolean follow, BooleanSupplier stopped) throws IOException {
    long taken = 0;
    long quiet = 0;
    Position from = feed.position();
    if (from.row() == null && sink.position().isEmpty()) {
      sink.begin(feed.table(), from);
    }
    feed.catchUp();
    while (!stopped.getAsBoolean()) {
      ChangeBatch batch = feed.next(BATCH);
      if (!batch.changes().isEmpty() || quiet == 0 || seams.nanoTime() - quiet > TELL.toNanos()) {
        sink.take(feed.table(), batch);
        taken += batch.changes().size();
        quiet = Math.max(1, seams.nanoTime());
      }
      if (batch.isEnd()) {
        if (!follow) {
          return taken;
        }
        seams.sleep(PAUSE);
      }
    }
    return taken;
  }
}
