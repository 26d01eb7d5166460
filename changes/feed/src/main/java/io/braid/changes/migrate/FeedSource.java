package io.braid.changes.migrate;

import io.braid.changes.feed.ChangeBatch;
import io.braid.changes.feed.ChangeFeed;
import io.braid.changes.feed.ChangeLogs;
import io.braid.changes.feed.Position;

/** The change feed of a table of Braid, in this database or another one. */
public final class FeedSource implements ChangeSource {
  private final ChangeLogs logs;
  private final String table;
  private final Runnable close;

  /**
   * @param close is run when the source is closed
   */
  public FeedSource(ChangeLogs logs, String table, Runnable close) {
    this.logs = logs;
    this.table = table;
    this.close = close;
  }

  @Override
  public Position begin() {
    return logs.feed(table, null).position();
  }

  @Override
  public ChangeBatch next(Position after, int most) {
    ChangeFeed feed = logs.feed(table, after);
    feed.catchUp();
    return feed.next(most);
  }

  @Override
  public void close() {
    close.run();
  }
}
