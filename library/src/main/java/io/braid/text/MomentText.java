package io.braid.text;

import io.braid.changes.feed.Position;
import io.braid.core.time.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Points in time as people write them. */
public final class MomentText {
  private static final Pattern DAY = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");
  private static final Pattern AGO = Pattern.compile("([0-9]+ ?[a-z]+) ago");

  private MomentText() {}

  /**
   * Returns how long ago a text says, as in {@code 10 min ago}; empty when the text has another
   * form.
   *
   * @throws IllegalArgumentException when the text has this form, with an unknown unit
   */
  public static Optional<Duration> ago(String when) {
    Matcher ago = AGO.matcher(when.strip());
    return ago.matches() ? Optional.of(Units.duration(ago.group(1))) : Optional.empty();
  }

  /**
   * A time, or a day, which begins in UTC.
   *
   * @throws IllegalArgumentException when the text is neither
   */
  public static Instant time(String when) {
    try {
      return DAY.matcher(when).matches()
          ? LocalDate.parse(when).atStartOfDay(ZoneOffset.UTC).toInstant()
          : Instant.parse(when);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(
          "'"
              + when
              + "' is neither a timestamp, nor a time such as 2026-05-04T10:00:00Z, a day such as"
              + " 2026-05-04 (its begin in UTC), or '10 min ago', nor a pin.",
          e);
    }
  }

  /**
   * Lets a name for a pin pass.
   *
   * @throws IllegalArgumentException when it is a point in time already, which it would then hide,
   *     or be hidden by
   */
  public static String pinName(String name) {
    if (isTime(name)
        || DAY.matcher(name).matches()
        || AGO.matcher(name.strip()).matches()
        || Timestamp.parse(name).isPresent()
        || Position.is(name)) {
      throw new IllegalArgumentException(
          "A pin cannot be named '" + name + "': that is a moment already.");
    }
    return name;
  }

  private static boolean isTime(String text) {
    try {
      time(text);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
