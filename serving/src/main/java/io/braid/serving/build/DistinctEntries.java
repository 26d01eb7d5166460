package io.braid.serving.build;

import io.braid.core.data.Bytes;
import io.braid.core.failure.ErrorCode;
import io.braid.serving.ServingException;
import io.braid.serving.chunk.Limits;
import java.io.IOException;
import java.util.function.BinaryOperator;

/** Sorted entries with each key once. */
final class DistinctEntries implements Entries {
  private final Entries entries;
  private final Duplicates duplicates;
  private final BinaryOperator<Bytes> reducer;
  private boolean ahead;
  private boolean begun;
  private long hash;
  private Bytes key = Bytes.EMPTY;
  private Bytes value = Bytes.EMPTY;

  DistinctEntries(Entries entries, Duplicates duplicates, BinaryOperator<Bytes> reducer) {
    this.entries = entries;
    this.duplicates = duplicates;
    this.reducer = reducer;
  }

  @Override
  public boolean next() throws IOException {
    if (!begun) {
      begun = true;
      ahead = entries.next();
    }
    if (!ahead) {
      return false;
    }
    hash = entries.hash();
    key = entries.key();
    value = entries.value();
    ahead = entries.next();
    while (ahead && entries.hash() == hash && entries.key().equals(key)) {
      value = joined(entries.value());
      ahead = entries.next();
    }
    return true;
  }

  private Bytes joined(Bytes more) {
    return switch (duplicates) {
      case FAIL ->
          throw new ServingException(
              ErrorCode.DUPLICATE_KEY,
              "Key "
                  + key
                  + " comes more than once. Clean the input, or ask for the last value (--duplicates"
                  + " last) or, of a build, for all of them (--duplicates reduce).");
      case LAST -> more;
      case REDUCE -> {
        Bytes reduced = reducer.apply(value, more);
        Limits.check(key, reduced);
        yield reduced;
      }
    };
  }

  @Override
  public long hash() {
    return hash;
  }

  @Override
  public Bytes key() {
    return key;
  }

  @Override
  public Bytes value() {
    return value;
  }

  @Override
  public void close() throws IOException {
    entries.close();
  }
}
