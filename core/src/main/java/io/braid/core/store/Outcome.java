package io.braid.core.store;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The outcome of one item of a write or a procedure call. */
@API(status = API.Status.EXPERIMENTAL)
public sealed interface Outcome<R extends @Nullable Object> {

  /**
   * The item was executed and is as durable as requested; {@code result} is the value that the
   * procedure returned.
   */
  record Done<R extends @Nullable Object>(R result) implements Outcome<R> {}

  /** It was not executed and never will be: it may be sent again. */
  record NotExecuted<R extends @Nullable Object>(Reason reason, String detail)
      implements Outcome<R> {
    @Override
    public String toString() {
      return "Not executed (" + reason + "): " + detail;
    }
  }

  /** The item was executed, will be, or will not be: only a later look can tell. */
  record Unknown<R extends @Nullable Object>(String detail) implements Outcome<R> {
    @Override
    public String toString() {
      return "The outcome is unknown: " + detail;
    }
  }

  /** Why an item was not executed. */
  enum Reason {
    /** The tablet is being moved, or its server cannot be reached: try again after a pause. */
    UNAVAILABLE,
    /** The rows of the item do not lie where one procedure can reach them: use fewer rows. */
    NOT_TOGETHER,
    /** The store has no room or accepts no writes; an operator has to act. */
    READ_ONLY
  }

  static <R extends @Nullable Object> Outcome<R> done(R result) {
    return new Done<>(result);
  }

  /** Executed, without a result. */
  @SuppressWarnings("NullAway") // the only value of Void
  static Outcome<Void> done() {
    return new Done<>(null);
  }

  static <R extends @Nullable Object> Outcome<R> notExecuted(Reason reason, String detail) {
    return new NotExecuted<>(reason, detail);
  }

  static <R extends @Nullable Object> Outcome<R> unknown(String detail) {
    return new Unknown<>(detail);
  }
}
