package io.braid.server.coordinator;

import io.braid.core.time.TimestampUnavailableException;
import io.braid.omid.manager.TransactionManager.Verdict;
import io.braid.omid.manager.WriteSet;
import java.io.IOException;
import java.util.List;

/**
 * A separate connection to the manager that leads, for a process that brings the requests of many
 * clients in batches; one thread at a time. The connection does not follow the leader: when the
 * manager is replaced, every call fails, and the caller has to open another connection.
 */
public final class ManagerConnection implements AutoCloseable {
  private final Directory directory;
  private final CommitMessage message = new CommitMessage();

  ManagerConnection(Directory directory) {
    this.directory = directory;
  }

  /** Begins a number of transactions. Returns the first of their start timestamps. */
  public long begin(int count) {
    try {
      return directory.connection().ask(Frames.NEXT, to -> to.writeInt(count));
    } catch (IOException e) {
      throw gone(e);
    }
  }

  /**
   * Asks for the commits of some transactions, at most 16384, in this order.
   *
   * @param verdicts receives the verdicts; the rest of the answers is in the write sets
   */
  public void commit(List<WriteSet> batch, Verdict[] verdicts) {
    try {
      directory.connection().commit(message, batch, verdicts);
    } catch (IOException e) {
      throw gone(e);
    }
  }

  private static TimestampUnavailableException gone(IOException e) {
    return new TimestampUnavailableException("The transaction manager does not answer: " + e, e);
  }

  @Override
  public void close() {
    directory.close();
  }
}
