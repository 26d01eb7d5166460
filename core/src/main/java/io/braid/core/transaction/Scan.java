package io.braid.core.transaction;

import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.KeyRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apiguardian.api.API;

/**
 * The rows of a table to scan, and their columns to read. Rows without a value in any of these
 * columns are left out. Name at least one family or column: {@link Snapshot#scan Snapshot.scan}
 * refuses a scan without them ({@link IllegalArgumentException}).
 *
 * <pre>{@code
 * Scan scan = Scan.of("accounts").prefix("b").family("balance").limit(100);
 * }</pre>
 *
 * @param families whole families
 * @param columns single columns, beside those of the families
 * @param limit how many rows at most, not negative
 */
@API(status = API.Status.STABLE)
public record Scan(
    String table, KeyRange range, Set<String> families, List<ColumnName> columns, long limit) {
  public Scan {
    families = Set.copyOf(families);
    columns = List.copyOf(columns);
    if (limit < 0) {
      throw new IllegalArgumentException("A scan cannot have a limit of " + limit + ".");
    }
  }

  /** All rows of a table; name the families or columns next. */
  public static Scan of(String table) {
    return new Scan(table, KeyRange.ALL, Set.of(), List.of(), Long.MAX_VALUE);
  }

  /** Restricts the scan to rows whose keys lie in a range; replaces any earlier range or prefix. */
  public Scan range(KeyRange keys) {
    return new Scan(table, keys, families, columns, limit);
  }

  /** Only rows whose keys begin with this text, in UTF-8. */
  public Scan prefix(String prefix) {
    return range(KeyRange.prefix(Bytes.of(prefix)));
  }

  /** Reads all columns of one more family. */
  public Scan family(String family) {
    Set<String> more = new TreeSet<>(families);
    more.add(family);
    return new Scan(table, range, more, columns, limit);
  }

  /** Reads one more column. */
  public Scan column(Column<?> column) {
    List<ColumnName> more = new ArrayList<>(columns);
    more.add(column.name());
    return new Scan(table, range, families, more, limit);
  }

  /** At most so many rows. */
  public Scan limit(long rows) {
    return new Scan(table, range, families, columns, rows);
  }
}
