package io.braid.core.data;

import java.util.Comparator;
import java.util.Objects;
import org.apiguardian.api.API;

/**
 * The address of a row, whether or not the row exists: a table and a key in it. Ordered by table,
 * then by the key's bytes, unsigned. Neither is checked here: a row can be written if its table is
 * there and the key has at least one byte and at most {@code limits.key}, 4 KiB by default.
 */
@API(status = API.Status.STABLE)
public record Row(String table, Bytes key) implements Comparable<Row> {
  private static final Comparator<Row> ORDER =
      Comparator.comparing(Row::table).thenComparing(Row::key);

  public Row {
    Objects.requireNonNull(table, "table");
    Objects.requireNonNull(key, "key");
  }

  /**
   * Returns a row whose key is text, in UTF-8.
   *
   * @throws IllegalArgumentException when the text contains half of a surrogate pair
   */
  public static Row of(String table, String key) {
    return new Row(table, Bytes.of(key));
  }

  /** A row whose key is bytes. */
  public static Row of(String table, Bytes key) {
    return new Row(table, key);
  }

  @Override
  public int compareTo(Row other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return table + "/" + key;
  }
}
