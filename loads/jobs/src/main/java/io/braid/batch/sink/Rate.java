package io.braid.batch.sink;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A target rate.
 *
 * @param records a second; 0 for any number
 * @param bytes a second; 0 for any number
 * @param adaptive whether to slow down when the store does
 */
public record Rate(long records, long bytes, boolean adaptive) {
  public static final Rate UNLIMITED = new Rate(0, 0, false);

  private static final Pattern TEXT =
      Pattern.compile("(\\d+)(?:\\s*(k|m|g)?(b)?)?/s", Pattern.CASE_INSENSITIVE);

  /**
   * {@code 2000/s}, {@code 10MB/s}, {@code adaptive}, {@code none}, or some with commas between.
   *
   * @throws IllegalArgumentException when the text has another form
   */
  public static Rate parse(String text) {
    Rate rate = UNLIMITED;
    for (String part : text.strip().split("\\s*,\\s*")) {
      rate = rate.with(part);
    }
    return rate;
  }

  private Rate with(String part) {
    String word = part.toLowerCase(Locale.ROOT);
    if (word.equals("none")) {
      return this;
    }
    if (word.equals("adaptive")) {
      return new Rate(records, bytes, true);
    }
    Matcher match = TEXT.matcher(word);
    if (!match.matches() || match.group(1).length() > 12) {
      throw new IllegalArgumentException(
          "'" + part + "' is no rate: write 2000/s, 10MB/s, adaptive or none.");
    }
    long unit =
        switch (String.valueOf(match.group(2))) {
          case "k" -> 1_000;
          case "m" -> 1_000_000;
          case "g" -> 1_000_000_000;
          default -> 1;
        };
    long number = Math.multiplyExact(Long.parseLong(match.group(1)), unit);
    if (number == 0) {
      throw new IllegalArgumentException("A rate of 0 would never end.");
    }
    return match.group(3) == null
        ? new Rate(number, bytes, adaptive)
        : new Rate(records, number, adaptive);
  }
}
