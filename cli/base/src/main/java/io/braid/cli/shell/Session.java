package io.braid.cli.shell;

import io.braid.Braid;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.view.Moment;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The state of a prompt: an open database, perhaps a transaction, perhaps a moment of the past. */
final class Session implements AutoCloseable {
  private final Braid db;
  private final View view;
  private @Nullable Transaction transaction;
  private boolean incomplete;
  private @Nullable String moment;

  Session(Braid db, View view) {
    this.db = db;
    this.view = view;
  }

  Braid db() {
    return db;
  }

  View view() {
    return view;
  }

  Optional<Transaction> transaction() {
    return Optional.ofNullable(transaction);
  }

  /** The moment that is looked at, if it is not now. */
  Optional<String> moment() {
    return Optional.ofNullable(moment);
  }

  /** Looks at another moment from now on. */
  void lookAt(Optional<String> when) {
    if (transaction != null) {
      throw new IllegalStateException(
          "A transaction is open, and reads its own snapshot: commit or roll back first.");
    }
    when.ifPresent(each -> Moment.open(db, each).close());
    moment = when.orElse(null);
  }

  void begin() {
    if (transaction != null) {
      throw new IllegalStateException("A transaction is open: commit or roll back first.");
    }
    refuseInThePast();
    transaction = db.begin();
    incomplete = false;
  }

  /** Refuses a commit of an incomplete transaction: a statement failed while it wrote. */
  void requireComplete() {
    if (transaction != null && incomplete) {
      throw new IllegalStateException(
          "A statement of this transaction failed, and part of what it writes is missing: give it"
              + " up with 'rollback', and begin again.");
    }
  }

  /** Ends the open transaction, whatever its outcome. */
  Transaction end() {
    Transaction ending = transaction;
    if (ending == null) {
      throw new IllegalStateException("No transaction is open: begin one with 'begin'.");
    }
    transaction = null;
    return ending;
  }

  /** Reads: in the open transaction, else at a moment, else now. */
  <R> R read(Optional<String> when, Function<Snapshot, R> reads) {
    Transaction open = transaction;
    if (open != null) {
      if (when.isPresent()) {
        throw new IllegalStateException(
            "A transaction reads its own snapshot: 'as of' works when none is open.");
      }
      return reads.apply(open);
    }
    Optional<String> at = when.or(this::moment);
    try (Snapshot snapshot = at.map(each -> Moment.open(db, each)).orElseGet(db::snapshot)) {
      return reads.apply(snapshot);
    }
  }

  /** Writes: in the open transaction, else in one of its own, which commits. */
  void write(Consumer<Transaction> writes) {
    refuseInThePast();
    Transaction open = transaction;
    if (open != null) {
      boolean before = incomplete;
      incomplete = true;
      writes.accept(open);
      incomplete = before;
      return;
    }
    try (Transaction own = db.begin()) {
      writes.accept(own);
      view.committed(own.commit());
    }
  }

  private void refuseInThePast() {
    if (moment != null) {
      throw new IllegalStateException(
          "The past cannot be changed: 'as of now' comes back from " + moment + ".");
    }
  }

  /** Rolls back the open transaction. */
  @Override
  public void close() {
    Transaction open = transaction;
    transaction = null;
    if (open != null) {
      open.close();
    }
  }
}
