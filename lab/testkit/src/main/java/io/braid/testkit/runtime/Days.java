package io.braid.testkit.runtime;

import io.braid.core.cells.Families;
import io.braid.core.store.CellStore;
import io.braid.core.time.StoreTimestampBound;
import io.braid.core.time.Timestamp;
import java.time.Instant;

/** Days on which a database may be used, long after the one on which its tests run. */
public final class Days {
  /** On this one timestamps get a digit more: 19. */
  public static final String NINETEEN_DIGITS = "2027-07-22T12:00:00Z";

  /** After this one seconds since 1970 do not fit 32 bits any more. */
  public static final String BEYOND_32_BITS = "2038-01-20T00:00:00Z";

  /** Few days later there are no timestamps any more. */
  public static final String LAST = "2089-09-01T00:00:00Z";

  private Days() {}

  /** Makes an unused store give out timestamps from a day on, whatever clocks say. */
  public static void begin(CellStore store, String day) {
    store.ensureTable(Families.system());
    StoreTimestampBound bound = new StoreTimestampBound(store);
    long first = Timestamp.ofWallMillis(Instant.parse(day).toEpochMilli());
    if (!bound.raise(bound.read(), first)) {
      throw new IllegalStateException("Somebody uses the store.");
    }
  }
}
