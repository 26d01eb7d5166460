package io.braid.cli.command;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Times as people write them: {@code 500ms}, {@code 2s}, {@code 1.5 min}. */
public final class DurationConverter implements ITypeConverter<Duration> {
  private static final Pattern TIME =
      Pattern.compile("([0-9]{1,9}(?:\\.[0-9]{1,3})?) ?(ms|s|min|h|d)");

  @Override
  public Duration convert(String text) {
    Matcher time = TIME.matcher(text.strip());
    if (!time.matches()) {
      throw new TypeConversionException(
          "'" + text + "' is no time: write a number and ms, s, min, h or d, such as 2s.");
    }
    long unit =
        switch (time.group(2)) {
          case "ms" -> 1L;
          case "s" -> 1_000L;
          case "min" -> 60_000L;
          case "h" -> 3_600_000L;
          default -> 86_400_000L;
        };
    return Duration.ofMillis(Math.round(Double.parseDouble(time.group(1)) * unit));
  }

  /** Writes a time in the largest unit that it is a whole number of. */
  public static String text(Duration time) {
    long seconds = time.toSeconds();
    if (seconds == 0 || time.toMillis() % 1000 != 0) {
      return time.toMillis() + " ms";
    }
    if (seconds % 86_400 == 0) {
      return seconds / 86_400 + " d";
    }
    if (seconds % 3_600 == 0) {
      return seconds / 3_600 + " h";
    }
    return seconds % 60 == 0 ? seconds / 60 + " min" : seconds + " s";
  }
}
