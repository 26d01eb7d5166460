package io.braid.changes.migrate;

import io.braid.changes.feed.ChangeBatch;
import io.braid.changes.feed.Position;
import java.io.IOException;

/**
 * A subscription to the changes of the old system, which may be asked again for earlier changes.
 * Positions are the old system's: numbers that rise with its changes.
 */
public interface ChangeSource extends AutoCloseable {
  /** Returns where the source begins: it has every change beyond this position. */
  Position begin() throws IOException;

  /** The next changes beyond a position, in order; never waits for any. */
  ChangeBatch next(Position after, int most) throws IOException;

  @Override
  void close() throws IOException;
}
