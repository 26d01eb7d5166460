package io.braid.core.data;

import java.util.Comparator;
import java.util.Objects;
import org.apiguardian.api.API;

/**
 * One version of one column of a row, as a store keeps it. Programs that use transactions never see
 * a cell.
 *
 * @param version usually a timestamp, never negative; another version makes another cell
 * @param value empty where a version alone says enough
 */
@API(status = API.Status.EXPERIMENTAL)
public record Cell(ColumnName column, long version, Bytes value) {
  /** By column, then from the highest version to the lowest. */
  public static final Comparator<Cell> ORDER =
      Comparator.comparing(Cell::column)
          .thenComparing(Comparator.comparingLong(Cell::version).reversed());

  public Cell {
    Objects.requireNonNull(column, "column");
    Objects.requireNonNull(value, "value");
    if (version < 0) {
      throw new IllegalArgumentException("A version is not negative: " + version + ".");
    }
  }
}
