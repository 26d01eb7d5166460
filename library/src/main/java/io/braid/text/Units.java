package io.braid.text;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Amounts with units, as people write them in settings and options. */
public final class Units {
  private static final Pattern AMOUNT = Pattern.compile("([0-9]{1,15}) ?([A-Za-z]+)");

  private Units() {}

  /**
   * Returns the bytes of an amount such as {@code 512 MiB}. Units are B, KiB, MiB and GiB, or KB,
   * MB and GB for powers of a thousand.
   *
   * @throws IllegalArgumentException when it is none; the text says what to write
   */
  public static long bytes(String text) {
    Matcher amount =
        match(text, "write an amount such as '64 MiB' (B, KB, KiB, MB, MiB, GB, GiB).");
    long factor =
        switch (amount.group(2).toLowerCase(Locale.ROOT)) {
          case "b" -> 1L;
          case "kb" -> 1_000L;
          case "kib" -> 1L << 10;
          case "mb" -> 1_000_000L;
          case "mib" -> 1L << 20;
          case "gb" -> 1_000_000_000L;
          case "gib" -> 1L << 30;
          default ->
              throw new IllegalArgumentException(
                  "'" + amount.group(2) + "' is no unit: use B, KB, KiB, MB, MiB, GB or GiB.");
        };
    return times(amount.group(1), factor);
  }

  /**
   * Returns the duration of a text such as {@code 10 s}. Units are ms, s, min, h and d.
   *
   * @throws IllegalArgumentException when it is none; the text says what to write
   */
  public static Duration duration(String text) {
    Matcher amount = match(text, "write a time such as '10 s' (ms, s, min, h, d).");
    long millis =
        switch (amount.group(2)) {
          case "ms" -> 1L;
          case "s" -> 1_000L;
          case "min" -> 60_000L;
          case "h" -> 3_600_000L;
          case "d" -> 86_400_000L;
          default ->
              throw new IllegalArgumentException(
                  "'" + amount.group(2) + "' is no unit of time: use ms, s, min, h or d.");
        };
    return Duration.ofMillis(times(amount.group(1), millis));
  }

  /**
   * A whole number from 1 to 999999.
   *
   * @throws IllegalArgumentException when it is none; the text says what to write
   */
  public static int count(String text) {
    if (!text.matches("[0-9]{1,6}") || Integer.parseInt(text) < 1) {
      throw new IllegalArgumentException("write a whole number from 1 to 999999.");
    }
    return Integer.parseInt(text);
  }

  private static Matcher match(String text, String otherwise) {
    Matcher matcher = AMOUNT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(otherwise);
    }
    return matcher;
  }

  private static long times(String number, long factor) {
    try {
      return Math.multiplyExact(Long.parseLong(number), factor);
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("that is too much.", e);
    }
  }
}
