package io.braid.changes.feed;

import io.braid.core.runtime.Seams;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.apiguardian.api.API;

/**
 * Brings a feed to a sink, batch after batch, from where the sink has it.
 *
 * <pre>{@code
 * try (FeedSink sink = new FileSink(Path.of("people.jsonl"))) {
 *   new FeedPump(db.changes("people", null), sink, new SystemSeams()).run(false, () -> false);
 * }
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL)
public final class FeedPump {
  private static final int BATCH = 1_000;
  private static final Duration PAUSE = Duration.ofMillis(200);

  /** The interval at which a sink receives the resolved timestamp while nothing changes. */
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
   * Brings over the changes that there are.
   *
   * @param follow whether to continue with later changes, until stopped
   * @param stopped asked between batches
   * @return how many changes of rows the sink took
   * @throws ChangesException when the sink has the feed up to another place; it takes nothing
   */
  public long run(boolean follow, BooleanSupplier stopped) throws IOException {
    long taken = 0;
    boolean told = false;
    long last = 0;
    Position from = feed.position();
    Optional<Position> has = sink.position(feed.table());
    if (has.isPresent() && !feed.goesOnAt(has.get())) {
      throw new ChangesException(
          "The feed of "
              + feed.table()
              + " is there up to position "
              + has.get()
              + ", and from "
              + from
              + " on changes would come twice or be missing: go on where it ended, without --since,"
              + " or bring the feed to another place.");
    }
    if (from.row() == null && has.isEmpty()) {
      sink.begin(feed.table(), from);
    }
    feed.catchUp();
    while (!stopped.getAsBoolean()) {
      ChangeBatch batch = feed.next(BATCH);
      boolean due = !told || seams.nanoTime() - last > TELL.toNanos();
      if (!batch.changes().isEmpty() || due) {
        sink.take(feed.table(), batch);
        taken += batch.changes().size();
        told = true;
        last = seams.nanoTime();
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
