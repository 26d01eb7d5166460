package io.braid.changes.feed;

import java.io.IOException;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The target of a feed. Delivery is at least once: changes that were taken when the process died
 * may come again. Each line carries its position. So a sink that stores the position with the
 * changes it has taken has each change once.
 */
@API(status = API.Status.EXPERIMENTAL)
public interface FeedSink extends AutoCloseable {
  /**
   * The position after the changes of a table that were taken for good; empty at the beginning.
   *
   * @throws ChangesException when the sink has the changes of another table
   */
  Optional<Position> position(String table) throws IOException;

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
