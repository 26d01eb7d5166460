package io.braid.server.coordinator;

import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;
import io.braid.core.time.TimestampUnavailableException;
import io.braid.omid.manager.ManagerClient;
import io.braid.omid.manager.TransactionManager.Verdict;
import io.braid.omid.manager.WriteSet;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The transaction manager of several processes, as each of them asks it. One message is out at a
 * time. Commits that come meanwhile share the next message, as with timestamps.
 *
 * <p>A question is never repeated: its own first grant would conflict with it. When no answer comes
 * the transaction counts as too old, for the manager that it began under is gone or out of reach.
 * The transaction has not committed then and never will: no process knows the timestamp that it may
 * have been granted.
 */
final class SharedManager implements ManagerClient.Requests {
  private static final Duration NUDGE = Duration.ofSeconds(1);

  private final Directory directory;
  private final Seams seams;

  // Guarded by this.
  private List<Part> gathering = new ArrayList<>();
  private boolean out;

  // Used by the thread that has the message out.
  private final CommitMessage message = new CommitMessage();

  SharedManager(Directory directory, Seams seams) {
    this.directory = directory;
    this.seams = seams;
  }

  /** One transaction's part of a message. */
  private static final class Part {
    final WriteSet writes;
    final Signal signal;
    volatile boolean sends;
    @Nullable RuntimeException failure;
    volatile @Nullable Verdict verdict;

    Part(WriteSet writes, Signal signal) {
      this.writes = writes;
      this.signal = signal;
    }
  }

  @Override
  public Verdict commit(WriteSet writes) {
    Leadership leadership = directory.leadership();
    if (leadership != null) {
      return commitHere(leadership, writes);
    }
    if (CommitMessage.sizeOf(writes) > CommitMessage.MOST_BYTES - Integer.BYTES) {
      throw new IllegalArgumentException(
          "A transaction of "
              + writes.size()
              + " cells is too large for the transaction manager: use several.");
    }
    // The caller may give up and use its own again while this one is still being answered.
    Part part = new Part(writes.copy(), seams.signal());
    join(part);
    while (true) {
      if (part.sends) {
        part.sends = false;
        sendAll(part);
      }
      Verdict verdict = part.verdict;
      if (verdict != null) {
        if (part.failure != null) {
          throw part.failure;
        }
        writes.answered(part.writes);
        return verdict;
      }
      part.signal.await(NUDGE);
      if (Thread.currentThread().isInterrupted() && leave(part)) {
        throw new TimestampUnavailableException("Interrupted while waiting for a commit.");
      }
    }
  }

  private static Verdict commitHere(Leadership leadership, WriteSet writes) {
    Verdict[] verdict = new Verdict[1];
    try {
      leadership.commit(List.of(writes), verdict);
      return verdict[0];
    } catch (NotCoordinatorException e) {
      return Verdict.TOO_OLD;
    }
  }

  /**
   * Adds a part, and decides at once who sends: a thread that is being answered may hand over to
   * this part right after.
   */
  private synchronized void join(Part part) {
    gathering.add(part);
    part.sends = !out;
    out = true;
  }

  /** False when the part is being sent, or its owner is to send for others. */
  private synchronized boolean leave(Part part) {
    return !part.sends && gathering.remove(part);
  }

  /** Sends the gathered parts in one message, then has the next thread send. */
  private void sendAll(Part own) {
    try {
      send(take());
    } finally {
      handOver(own);
    }
  }

  private void send(List<Part> batch) {
    Verdict[] verdicts = new Verdict[batch.size()];
    RuntimeException failure = null;
    try {
      List<WriteSet> sets = new ArrayList<>(batch.size());
      batch.forEach(part -> sets.add(part.writes));
      directory.connection().commit(message, sets, verdicts);
    } catch (TimestampUnavailableException | IOException e) {
      Arrays.fill(verdicts, Verdict.TOO_OLD);
      directory.nudge();
    } catch (RuntimeException e) {
      Arrays.fill(verdicts, Verdict.TOO_OLD);
      failure = e;
    } catch (Error e) {
      // For instance without memory. Otherwise the other callers would get no answer.
      Arrays.fill(verdicts, Verdict.TOO_OLD);
      throw e;
    } finally {
      for (int i = 0; i < verdicts.length; i++) {
        Part part = batch.get(i);
        part.failure = failure;
        part.verdict = verdicts[i];
        part.signal.raise();
      }
    }
  }

  private synchronized List<Part> take() {
    int count = 0;
    long bytes = Integer.BYTES;
    while (count < gathering.size() && count < CommitMessage.MOST_SETS) {
      bytes += CommitMessage.sizeOf(gathering.get(count).writes);
      if (count > 0 && bytes > CommitMessage.ENOUGH_BYTES) {
        break;
      }
      count++;
    }
    List<Part> batch = gathering;
    gathering = new ArrayList<>(batch.subList(count, batch.size()));
    return batch.subList(0, count);
  }

  /** Hands over to the next part. The sender's own part goes too, if an Error has left it there. */
  private synchronized void handOver(Part own) {
    gathering.remove(own);
    out = !gathering.isEmpty();
    if (out) {
      Part next = gathering.get(0);
      next.sends = true;
      next.signal.raise();
    }
  }

  @Override
  public long fence(long table) {
    try {
      Leadership leadership = directory.leadership();
      return leadership != null
          ? leadership.fence(table)
          : directory.connection().ask(Frames.FENCE, to -> to.writeLong(table));
    } catch (IOException e) {
      directory.nudge();
      throw new TimestampUnavailableException(
          "The transaction manager did not answer: whether there is a fence is unknown; set it"
              + " again.",
          e);
    }
  }
}
