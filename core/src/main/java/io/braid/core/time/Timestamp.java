package io.braid.core.time;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * The bits of a timestamp: 41 of milliseconds since the start of 2020 (UTC), 14 of a counter, 8
 * that belong to the tablet clocks. The sign bit is never set. Timestamps of the oracle have zero
 * local bits; those of a tablet clock have others. So a timestamp can be read as a time.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class Timestamp {
  /** How many bits tablet clocks count with. */
  public static final int LOCAL_BITS = 8;

  /** How many bits the oracle counts with within a millisecond. */
  public static final int COUNTER_BITS = 14;

  /** The distance between two neighbouring timestamps of the oracle. */
  public static final long STEP = 1L << LOCAL_BITS;

  /** Above every timestamp. */
  public static final long MAX = Long.MAX_VALUE;

  private static final Pattern DIGITS = Pattern.compile("[0-9]{1,19}");

  // In the address of a request a plus may have become a blank.
  private static final Pattern TEXT =
      Pattern.compile("([0-9T:.-]{1,30}Z)[+ ]([0-9]{1,5})(?:\\.([0-9]{1,3}))?");

  private static final int TIME_SHIFT = LOCAL_BITS + COUNTER_BITS;
  private static final Instant FIRST = Instant.parse("2020-01-01T00:00:00Z");
  private static final long EPOCH_MILLIS = FIRST.toEpochMilli();
  private static final long MAX_MILLIS = (1L << (63 - TIME_SHIFT)) - 1;
  private static final Instant LAST = Instant.ofEpochMilli(EPOCH_MILLIS + MAX_MILLIS + 1);

  private Timestamp() {}

  /**
   * The first timestamp of a millisecond.
   *
   * @throws IllegalArgumentException before 2020 or after 2089
   */
  public static long ofWallMillis(long wallMillis) {
    long millis = wallMillis - EPOCH_MILLIS;
    if (millis < 0 || millis > MAX_MILLIS) {
      throw none(Instant.ofEpochMilli(wallMillis));
    }
    return millis << TIME_SHIFT;
  }

  /**
   * The last timestamp of the millisecond of {@code instant}.
   *
   * @throws IllegalArgumentException before 2020 or after 2089
   */
  public static long lastAt(Instant instant) {
    if (instant.isBefore(FIRST) || instant.isAfter(LAST)) {
      throw none(instant);
    }
    return ofWallMillis(instant.toEpochMilli()) | ((1L << TIME_SHIFT) - 1);
  }

  /**
   * Refuses a time in the future, by both the newest timestamp and the clock of this machine:
   * either may be behind, the clock because it was set back.
   *
   * @param last the last timestamp of that time, by {@link TimestampOracle#lastAt}
   * @throws IllegalArgumentException when both say that the time is in the future
   */
  public static void requirePast(Instant time, long last, long newest, long wallMillis) {
    if (last > newest && time.toEpochMilli() > wallMillis) {
      throw new IllegalArgumentException("There is no snapshot of " + time + ": it is to come.");
    }
  }

  private static IllegalArgumentException none(Instant instant) {
    return new IllegalArgumentException(
        "There is no timestamp for " + instant + ": use 2020 to 2089.");
  }

  /**
   * Returns the timestamp of the oracle that lies this long before another one; 0 if there is none.
   */
  public static long before(long timestamp, Duration time) {
    long millis = time.toMillis();
    return millis > timestamp >>> TIME_SHIFT ? 0 : withoutLocal(timestamp) - (millis << TIME_SHIFT);
  }

  /** Milliseconds since 1970. */
  public static long wallMillis(long timestamp) {
    return (timestamp >>> TIME_SHIFT) + EPOCH_MILLIS;
  }

  /** Returns the time of day of a timestamp, to the millisecond. */
  public static Instant instant(long timestamp) {
    return Instant.ofEpochMilli(wallMillis(timestamp));
  }

  /** The bits that tablet clocks count with. */
  public static int local(long timestamp) {
    return (int) (timestamp & (STEP - 1));
  }

  /** The timestamp of the oracle that this one is, or was drawn from. */
  public static long withoutLocal(long timestamp) {
    return timestamp & -STEP;
  }

  /** As {@code 2026-05-04T10:11:12.345Z+17.3}: time, counter, and the local bits if not 0. */
  public static String toText(long timestamp) {
    int local = local(timestamp);
    return instant(timestamp) + "+" + counter(timestamp) + (local == 0 ? "" : "." + local);
  }

  private static long counter(long timestamp) {
    return (timestamp >>> LOCAL_BITS) & ((1L << COUNTER_BITS) - 1);
  }

  /**
   * Parses a printed timestamp: decimal digits, of which a {@code long} has up to 19, or the form
   * of {@link #toText}. All reading of printed timestamps goes through here.
   *
   * @return empty when the text is neither
   */
  public static OptionalLong parse(String text) {
    try {
      if (DIGITS.matcher(text).matches()) {
        return OptionalLong.of(Long.parseLong(text));
      }
      Matcher parts = TEXT.matcher(text);
      if (parts.matches()) {
        long first = ofWallMillis(Instant.parse(parts.group(1)).toEpochMilli());
        String local = parts.group(3) == null ? "0" : parts.group(3);
        long counter = Long.parseLong(parts.group(2));
        boolean fits = counter < 1 << COUNTER_BITS && Long.parseLong(local) < STEP;
        return fits
            ? OptionalLong.of(first | counter << LOCAL_BITS | Long.parseLong(local))
            : OptionalLong.empty();
      }
    } catch (IllegalArgumentException | DateTimeParseException e) {
      // Too large for a timestamp, or no day of the calendar.
    }
    return OptionalLong.empty();
  }
}
