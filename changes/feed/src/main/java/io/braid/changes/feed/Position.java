package io.braid.changes.feed;

import io.braid.core.data.Bytes;
import io.braid.core.data.KeyRange;
import io.braid.core.time.Timestamp;
import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A place in a feed: everything up to it was seen. Positions have the order of the feed, of any
 * source.
 *
 * @param row the last row seen of the transaction committed at {@code timestamp}; null when all of
 *     it was seen
 * @param lineage which database the feed is of, as {@code Lineage.mark} names it; null when that is
 *     not known, or no database of Braid
 */
@API(status = API.Status.EXPERIMENTAL)
public record Position(long timestamp, @Nullable Bytes row, @Nullable String lineage)
    implements Comparable<Position> {
  private static final Pattern TEXT =
      Pattern.compile("([0-9]{1,19})(?:/((?:[0-9a-f]{2})*))?(?:@([0-9a-f]{16}))?");

  public Position(long timestamp, @Nullable Bytes row) {
    this(timestamp, row, null);
  }

  /** After all changes up to a timestamp. */
  public static Position after(long timestamp) {
    return new Position(timestamp, null);
  }

  /** The same in the feed of a database. */
  public Position of(@Nullable String mark) {
    return new Position(timestamp, row, mark);
  }

  /** Returns whether a text is a position: the output of {@link #toString}, or a timestamp. */
  public static boolean is(String text) {
    return read(text).isPresent();
  }

  /**
   * Parses the output of {@link #toString}.
   *
   * @throws IllegalArgumentException when the text is not a position
   */
  public static Position parse(String text) {
    return read(text)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "'"
                        + text
                        + "' is no position of a feed: use one that the feed gave, or a"
                        + " timestamp."));
  }

  private static Optional<Position> read(String text) {
    Matcher parts = TEXT.matcher(text.strip());
    OptionalLong timestamp =
        parts.matches() ? Timestamp.parse(parts.group(1)) : OptionalLong.empty();
    if (timestamp.isEmpty()) {
      return Optional.empty();
    }
    String row = parts.group(2);
    return Optional.of(
        new Position(
            timestamp.getAsLong(),
            row == null ? null : Bytes.wrap(HexFormat.of().parseHex(row)),
            parts.group(3)));
  }

  /** The keys of the log beyond this position, up to a timestamp. */
  KeyRange upTo(long resolved) {
    Bytes from =
        row == null ? Bytes.ofLong(timestamp + 1) : Bytes.ofLong(timestamp).concat(row).successor();
    return new KeyRange(from, Bytes.ofLong(resolved + 1));
  }

  @Override
  public int compareTo(Position other) {
    int byTime = Long.compare(timestamp, other.timestamp);
    if (byTime != 0) {
      return byTime;
    }
    if (row == null || other.row == null) {
      return Boolean.compare(row == null, other.row == null);
    }
    return row.compareTo(other.row);
  }

  @Override
  public String toString() {
    return timestamp
        + (row == null ? "" : "/" + row.toHex())
        + (lineage == null ? "" : "@" + lineage);
  }
}
