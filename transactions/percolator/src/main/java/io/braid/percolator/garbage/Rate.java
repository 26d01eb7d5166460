package io.braid.percolator.garbage;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * The limit on the rows or bytes that are looked at in a second, or no limit.
 *
 * @param perSecond rows or bytes, at least 1
 */
@API(status = API.Status.EXPERIMENTAL)
public record Rate(Kind kind, long perSecond) {
  /** The rate without a limit. */
  public static final Rate UNLIMITED = new Rate(Kind.UNLIMITED, Long.MAX_VALUE);

  private static final Pattern TEXT = Pattern.compile("([0-9]{1,12}) ?(B|KB|KiB|MB|MiB|GB|GiB)?/s");

  /** The unit of a rate. */
  public enum Kind {
    ROWS,
    BYTES,
    UNLIMITED
  }

  public Rate {
    if (perSecond < 1) {
      throw new IllegalArgumentException("A rate is at least one a second.");
    }
  }

  public static Rate rows(long perSecond) {
    return new Rate(Kind.ROWS, perSecond);
  }

  public static Rate bytes(long perSecond) {
    return new Rate(Kind.BYTES, perSecond);
  }

  /**
   * Reads {@code 10000/s} (rows), {@code 8 MiB/s}, or {@code unlimited}.
   *
   * @throws IllegalArgumentException when it is something else
   */
  public static Rate parse(String text) {
    if (text.strip().equalsIgnoreCase("unlimited")) {
      return UNLIMITED;
    }
    Matcher matcher = TEXT.matcher(text.strip());
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' is no rate: write '10000/s' for rows, '8 MiB/s', or 'unlimited'.");
    }
    long amount = Long.parseLong(matcher.group(1));
    String unit = matcher.group(2);
    return unit == null ? rows(amount) : bytes(Math.multiplyExact(amount, factor(unit)));
  }

  private static long factor(String unit) {
    return switch (unit) {
      case "KB" -> 1_000L;
      case "KiB" -> 1L << 10;
      case "MB" -> 1_000_000L;
      case "MiB" -> 1L << 20;
      case "GB" -> 1_000_000_000L;
      case "GiB" -> 1L << 30;
      default -> 1L;
    };
  }

  /** Returns the nanoseconds that so many rows and bytes take at least. */
  long nanosFor(long rows, long bytes) {
    double amount =
        switch (kind) {
          case ROWS -> rows;
          case BYTES -> bytes;
          case UNLIMITED -> 0;
        };
    return (long) (amount / perSecond * 1e9);
  }

  @Override
  public String toString() {
    return switch (kind) {
      case ROWS -> perSecond + "/s";
      case BYTES -> perSecond + " B/s";
      case UNLIMITED -> Kind.UNLIMITED.name().toLowerCase(Locale.ROOT);
    };
  }
}
