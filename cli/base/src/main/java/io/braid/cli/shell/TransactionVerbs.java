package io.braid.cli.shell;

import io.braid.cli.shell.Verb.Word;
import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionId;
import io.braid.core.transaction.TransactionOutcome;
import io.braid.core.transaction.TransactionOutcome.Committed;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The verbs of transactions and of moments. */
final class TransactionVerbs {
  private TransactionVerbs() {}

  static List<Verb> all() {
    return List.of(
        verb("begin", "Begins a transaction; what follows belongs to it.", TransactionVerbs::begin),
        verb("commit", "Commits the open transaction.", TransactionVerbs::commit),
        verb("rollback", "Gives up the open transaction.", TransactionVerbs::rollBack),
        new Verb(
            "as",
            "of WHEN",
            "Looks at the past from now on; 'as of now' comes back.",
            2,
            2,
            List.of(Word.MOMENT, Word.PIN),
            TransactionVerbs::asOf),
        new Verb(
            "outcome",
            "ID",
            "Tells the outcome of a transaction whose commit was not answered.",
            1,
            1,
            List.of(),
            TransactionVerbs::outcome),
        new Verb(
            "pin",
            "[NAME]",
            "Keeps what is there now readable under a name; without one, lists the names.",
            0,
            1,
            List.of(Word.PIN),
            TransactionVerbs::pin),
        new Verb(
            "unpin",
            "NAME",
            "Lets go of a pin.",
            1,
            1,
            List.of(Word.PIN),
            TransactionVerbs::unpin));
  }

  private static Verb verb(String name, String description, Verb.Action action) {
    return new Verb(name, "", description, 0, 0, List.of(), action);
  }

  private static void begin(Session session, Statement statement) {
    session.begin();
    long start = session.transaction().orElseThrow().timestamp();
    session.view().say(Map.of("began", Long.toString(start)), "Began at " + start + ".");
  }

  private static void commit(Session session, Statement statement) {
    session.requireComplete();
    try (Transaction ending = session.end()) {
      session.view().committed(ending.commit());
    }
  }

  private static void rollBack(Session session, Statement statement) {
    session.end().close();
    session.view().say(Map.of("rolled_back", true), "Rolled back.");
  }

  private static void asOf(Session session, Statement statement) {
    if (!statement.words().get(0).equalsIgnoreCase("of")) {
      throw new IllegalArgumentException("Write: as of WHEN");
    }
    String when = statement.words().get(1);
    session.lookAt(when.equalsIgnoreCase("now") ? Optional.empty() : Optional.of(when));
  }

  private static void outcome(Session session, Statement statement) {
    TransactionId id = TransactionId.parse(statement.words().get(0));
    TransactionOutcome outcome = session.db().transactions().outcome(id);
    String word =
        outcome instanceof Committed committed
            ? "committed at " + committed.commitTimestamp()
            : outcome instanceof TransactionOutcome.RolledBack
                ? "rolled back"
                : outcome instanceof TransactionOutcome.Undecided ? "undecided" : "unknown";
    session.view().say(Map.of("outcome", word), "The transaction is " + word + ".");
  }

  private static void pin(Session session, Statement statement) {
    if (statement.words().isEmpty()) {
      session
          .view()
          .listing(
              List.of("pin", "timestamp"),
              session.db().transactions().pins().stream()
                  .map(pin -> List.of(pin.name(), Long.toString(pin.timestamp())))
                  .toList());
      return;
    }
    String name = statement.words().get(0);
    try (Snapshot now = session.db().snapshot()) {
      session.db().transactions().pin(name, now.timestamp());
      session
          .view()
          .say(
              Map.of("pin", name, "timestamp", Long.toString(now.timestamp())),
              "Pin " + name + " keeps " + now.timestamp() + ".");
    }
  }

  private static void unpin(Session session, Statement statement) {
    String name = statement.words().get(0);
    if (!session.db().transactions().unpin(name)) {
      throw new BraidException(ErrorCode.NO_SUCH_PIN, "There is no pin " + name + ".");
    }
    session.view().say(Map.of("unpinned", name), "Pin " + name + " is gone.");
  }
}
