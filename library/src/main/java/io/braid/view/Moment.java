package io.braid.view;

import io.braid.Braid;
import io.braid.Units;
import io.braid.batch.changes.Position;
import io.braid.core.time.Lineage;
import io.braid.core.time.Timestamp;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transactions;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A moment as people write it: a timestamp, a time, a day, so long ago, the name of a pin, or a
 * position that the feed of this database gave.
 */
public final class Moment {
  private static final Pattern DAY = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");
  private static final Pattern AGO = Pattern.compile("([0-9]+ ?[a-z]+) ago");

  private Moment() {}

  /**
   * The snapshot of a moment; the caller closes it.
   *
   * @throws IllegalArgumentException when the text is none, or the moment has not come
   * @throws io.braid.core.transaction.SnapshotTooOldException when it is too long ago
   */
  public static Snapshot open(Braid db, String when) {
    OptionalLong exact = exact(db, when);
    return exact.isPresent()
        ? db.transactions().snapshotAt(exact.getAsLong())
        : db.transactions().snapshotAt(time(when));
  }

  /**
   * The last timestamp of a moment, be it long ago or yet to come.
   *
   * @throws IllegalArgumentException when the text is none
   */
  public static long timestamp(Braid db, String when) {
    OptionalLong exact = exact(db, when);
    return exact.isPresent() ? exact.getAsLong() : db.oracle().lastAt(time(when));
  }

  /**
   * Lets a name for a pin pass.
   *
   * @throws IllegalArgumentException when it is another moment already, which it would then hide,
   *     or be hidden by
   */
  public static String pin(String name) {
    boolean isTime;
    try {
      time(name);
      isTime = true;
    } catch (IllegalArgumentException e) {
      isTime = false;
    }
    if (isTime
        || DAY.matcher(name).matches()
        || AGO.matcher(name.strip()).matches()
        || Timestamp.parse(name).isPresent()
        || Position.is(name)) {
      throw new IllegalArgumentException(
          "A pin cannot be named '" + name + "': that is a moment already.");
    }
    return name;
  }

  /** Of a timestamp, so long ago, or a pin. */
  private static OptionalLong exact(Braid db, String when) {
    Matcher ago = AGO.matcher(when.strip());
    if (ago.matches()) {
      return OptionalLong.of(ago(db, Units.duration(ago.group(1))));
    }
    OptionalLong printed = Timestamp.parse(when);
    if (printed.isEmpty() && Position.is(when)) {
      return OptionalLong.of(ofFeed(db, Position.parse(when)));
    }
    return printed.isPresent()
        ? printed
        : db.transactions().pins().stream()
            .filter(pin -> pin.name().equals(when))
            .mapToLong(Transactions.Pin::timestamp)
            .findFirst();
  }

  private static long ofFeed(Braid db, Position position) {
    String own = Lineage.markOf(db.store(), db.loads().seams().random());
    if (position.row() != null || (position.lineage() != null && !own.equals(position.lineage()))) {
      throw new IllegalArgumentException(
          position.row() != null
              ? "Position " + position + " lies within a transaction: no snapshot ends there."
              : "Position " + position + " is of the feed of another database.");
    }
    return position.timestamp();
  }

  /** By the clock that gives out timestamps, which a clock of this machine may be ahead of. */
  private static long ago(Braid db, Duration time) {
    try (Snapshot newest = db.snapshot()) {
      return Timestamp.before(newest.timestamp(), time);
    }
  }

  private static Instant time(String when) {
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
}
