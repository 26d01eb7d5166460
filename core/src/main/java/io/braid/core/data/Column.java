package io.braid.core.data;

import java.util.Objects;
import org.apiguardian.api.API;

/**
 * A column with the type of its values, for reads and writes of a row. Make it once and keep it. It
 * need not be declared; its family must be one of the table, or reads and writes throw {@link
 * io.braid.core.store.UnknownTableException}.
 *
 * <pre>{@code
 * Column<Long> visits = Column.of("stats", "visits", Codecs.int64());
 * }</pre>
 *
 * @param codec how values become bytes; the store does not know it, so that a reader of a column
 *     has to use the codec that it was written with
 */
@API(status = API.Status.STABLE)
public record Column<T>(ColumnName name, Codec<T> codec) {
  public Column {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(codec, "codec");
  }

  /**
   * A column whose qualifier is text, in UTF-8. It is as long as {@code limits.key} at most, and
   * may be empty.
   *
   * @param family one that was named when its table was made
   */
  public static <T> Column<T> of(String family, String qualifier, Codec<T> codec) {
    return of(family, Bytes.of(qualifier), codec);
  }

  /** A column whose qualifier is bytes. */
  public static <T> Column<T> of(String family, Bytes qualifier, Codec<T> codec) {
    return new Column<>(new ColumnName(family, qualifier), codec);
  }

  /**
   * Returns the bytes to store for a value.
   *
   * @throws NullPointerException when the value is null, or the codec returns null for it
   */
  public Bytes encode(T value) {
    Objects.requireNonNull(value, "There is no null value: delete the cell instead.");
    return Objects.requireNonNull(
        codec.encode(value), () -> "The codec of " + name + " made null of a value.");
  }

  @Override
  public String toString() {
    return name.toString();
  }
}
