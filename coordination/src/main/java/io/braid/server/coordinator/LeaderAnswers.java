package io.braid.server.coordinator;

import io.braid.core.data.Bytes;
import io.braid.core.net.Arrivals;
import io.braid.core.net.Arrivals.Arrival;
import io.braid.core.time.TimestampUnavailableException;
import io.braid.omid.manager.TransactionManager.Verdict;
import io.braid.omid.manager.WriteSet;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.List;

/** Takes the requests of one process, and writes the answers of the leader. */
final class LeaderAnswers {
  private final Leadership leadership;
  private final Figures figures;
  private final Arrivals arrivals;
  private final Socket session;
  private final DataInputStream from;
  private final DataOutputStream to;
  private final CommitMessage commits = new CommitMessage();

  /** The figures that are counted, in a leadership and at its server. */
  interface Figures {
    long of(Leadership leadership, ManagerFigure figure);
  }

  /**
   * @param session whose locks become free when it ends
   */
  LeaderAnswers(
      Leadership leadership,
      Figures figures,
      Arrivals arrivals,
      Socket session,
      DataInputStream from,
      DataOutputStream to) {
    this.leadership = leadership;
    this.figures = figures;
    this.arrivals = arrivals;
    this.session = session;
    this.from = from;
    this.to = to;
  }

  /** Reads the rest of a request after its first byte, and answers it. */
  void answer(int kind) throws IOException {
    try (Arrival request = arrivals.begin(session)) {
      if (kind == Frames.COMMIT) {
        commit(request);
      } else if (isMessage(kind)) {
        message(kind, request);
      } else {
        number(kind);
      }
      to.flush();
      commits.rest();
    }
  }

  private void commit(Arrival request) throws IOException {
    commits.receive(from, request);
    request.end();
    List<WriteSet> batch = commits.requested();
    Verdict[] verdicts = new Verdict[batch.size()];
    try {
      leadership.commit(batch, verdicts);
      commits.answer(batch, verdicts);
      to.write(Frames.DONE);
      commits.send(to);
    } catch (NotCoordinatorException e) {
      to.write(Frames.NOT_COORDINATOR);
    } catch (TimestampUnavailableException e) {
      to.write(Frames.FAILED);
      Frames.writeText(to, String.valueOf(e.getMessage()));
    }
  }

  private static boolean isMessage(int kind) {
    return kind == Frames.LOCKS || kind == Frames.OFFER_HINTS || kind == Frames.TAKE_HINTS;
  }

  private void message(int kind, Arrival arrival) throws IOException {
    Bytes request = Frames.readMessage(from, arrival);
    arrival.end();
    try {
      Bytes answer =
          switch (kind) {
            case Frames.LOCKS -> LockMessage.decode(request).applyTo(leadership.locks(), session);
            case Frames.OFFER_HINTS -> {
              HintBoard hints = leadership.hints();
              HintMessage.offered(request).forEach(each -> hints.offer(each.topic(), each.hint()));
              yield Bytes.EMPTY;
            }
            default -> {
              HintMessage.HintRequest wanted = HintMessage.HintRequest.decode(request);
              yield HintMessage.answer(
                  leadership.hints().take(wanted.topics(), wanted.most(), wanted.patience()));
            }
          };
      to.write(Frames.DONE);
      Frames.writeMessage(to, answer);
    } catch (NotCoordinatorException e) {
      to.write(Frames.NOT_COORDINATOR);
    } catch (IllegalArgumentException e) {
      to.write(Frames.FAILED);
      Frames.writeText(to, String.valueOf(e.getMessage()));
    }
  }

  private void number(int kind) throws IOException {
    try {
      long value =
          switch (kind) {
            case Frames.NEXT -> leadership.next(from.readInt());
            case Frames.LAST_ISSUED -> leadership.lastIssued();
            case Frames.FENCE -> leadership.fence(from.readLong());
            case Frames.FIGURE -> figure(from.readUnsignedByte());
            default -> throw new IOException("Nothing is known of a request of kind " + kind + ".");
          };
      to.write(Frames.DONE);
      to.writeLong(value);
    } catch (NotCoordinatorException e) {
      to.write(Frames.NOT_COORDINATOR);
    } catch (TimestampUnavailableException | IllegalArgumentException e) {
      to.write(Frames.FAILED);
      Frames.writeText(to, String.valueOf(e.getMessage()));
    }
  }

  private long figure(int number) throws IOException {
    ManagerFigure[] all = ManagerFigure.values();
    if (number >= all.length) {
      throw new IOException("Nothing is known of figure " + number + ".");
    }
    return figures.of(leadership, all[number]);
  }
}
