package io.braid.batch.changes;

import java.io.IOException;
import java.util.Optional;

/**
 * Where a feed goes. At least once: what was taken when the process died may come again. Each line
 * carries its position, so a sink that keeps the position with what it has taken has it once.
 */
public interface FeedSink extends AutoCloseable {
  /** The position after what was taken for good; empty at the begin. */
  Optional<Position> position() throws IOException;

  /** Tells a sink that has nothing yet where the feed begins. */
  default void begin(String table, Position position) throws IOException {}

  /**
   * Takes a batch; when it returns, that is durable.
   *
   * @throws IOException when it is not known to be; the batch, and those after it, come again
   */
  void take(String table, ChangeBatch batch) throws IOException;

  @Override
  void close() throws IOException;
}
