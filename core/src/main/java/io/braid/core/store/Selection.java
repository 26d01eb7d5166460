package io.braid.core.store;

import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Cells of one family: of one qualifier or, when that is null, of all; the versions between two
 * bounds, both included, newest first and at most {@code maxVersions} of each column.
 */
@API(status = API.Status.EXPERIMENTAL)
public record Selection(
    String family, @Nullable Bytes qualifier, long minVersion, long maxVersion, int maxVersions) {
  public Selection {
    if (minVersion < 0 || maxVersion < minVersion || maxVersions < 1) {
      throw new IllegalArgumentException(
          "Versions " + minVersion + " to " + maxVersion + ", at most " + maxVersions + ".");
    }
  }

  /** All versions of all columns of a family. */
  public static Selection family(String family) {
    return new Selection(family, null, 0, Long.MAX_VALUE, Integer.MAX_VALUE);
  }

  /** All versions of a column. */
  public static Selection column(ColumnName column) {
    return new Selection(column.family(), column.qualifier(), 0, Long.MAX_VALUE, Integer.MAX_VALUE);
  }

  /** The same columns, only versions up to {@code version}. */
  public Selection upTo(long version) {
    return new Selection(family, qualifier, minVersion, version, maxVersions);
  }

  /** The same columns, at most {@code count} versions of each. */
  public Selection newest(int count) {
    return new Selection(family, qualifier, minVersion, maxVersion, count);
  }
}
