package io.braid.core.transaction;

import java.util.function.LongSupplier;
import org.apiguardian.api.API;

/**
 * How the commit of one of several transactions ended; see {@link Transactions#commitAll
 * Transactions.commitAll}.
 */
@API(status = API.Status.STABLE)
public sealed interface CommitResult {
  /** The result that {@link Transaction#commit} returns. */
  record Committed(long commit) implements CommitResult {}

  /** The exception that {@link Transaction#commit} throws. */
  record Failed(RuntimeException failure) implements CommitResult {}

  /** The result of a commit. */
  static CommitResult of(LongSupplier commit) {
    try {
      return new Committed(commit.getAsLong());
    } catch (RuntimeException e) {
      return new Failed(e);
    }
  }
}
