package io.braid.core.time;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.apiguardian.api.API;

/**
 * Checks on the client's side that timestamps rise: a new timestamp must lie above all that the
 * client had received before its request. After the first failure this oracle refuses everything
 * with {@link ErrorCode#DEFECT}.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class RisingOracle implements TimestampOracle {
  private final TimestampOracle oracle;
  private final AtomicLong highest = new AtomicLong();
  private volatile long wrong;

  public RisingOracle(TimestampOracle oracle) {
    this.oracle = oracle;
  }

  /** Returns the oracle whose timestamps are checked. */
  public TimestampOracle checked() {
    return oracle;
  }

  @Override
  public long next(int count) {
    if (wrong != 0) {
      throw notRising(wrong, highest.get());
    }
    long before = highest.get();
    long first = oracle.next(count);
    if (first <= before || Timestamp.local(first) != 0) {
      wrong = first == 0 ? Long.MIN_VALUE : first;
      throw notRising(first, before);
    }
    highest.accumulateAndGet(first + (count - 1) * Timestamp.STEP, Math::max);
    return first;
  }

  @Override
  public long lastAt(Instant time) {
    return oracle.lastAt(time);
  }

  @Override
  public long lastIssued() {
    return Math.max(oracle.lastIssued(), highest.get());
  }

  /** Accepts timestamps that this client has received; asks the oracle only for the rest. */
  @Override
  public long requireIssued(long timestamp) {
    return timestamp >= 0 && Timestamp.withoutLocal(timestamp) <= highest.get()
        ? timestamp
        : oracle.requireIssued(timestamp);
  }

  private static BraidException notRising(long received, long before) {
    return new BraidException(
        ErrorCode.DEFECT,
        "The oracle gave out "
            + received
            + ", which is not above "
            + before
            + ", received before. Stop this process and find out which oracle answers it.");
  }
}
