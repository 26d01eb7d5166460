package io.braid.groups.leader;

import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.ConflictException.Cause;
import io.braid.core.transaction.ConflictException.Conflict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The reads of a group's transaction: the versions of columns, and of rows that were read whole
 * (section 5.3; the read set of Kung and Robinson). Not safe for threads: the group's monitor
 * guards it.
 */
final class ReadSet {
  private static final ColumnName WHOLE = ColumnName.of("*", "");

  private final Map<Row, Map<ColumnName, Long>> columns = new HashMap<>();
  private final Map<Row, Long> rows = new HashMap<>();
  private long validAt = -1;

  /** A column was read; the version of the first time counts. */
  void add(Row row, ColumnName column, long version) {
    columns.computeIfAbsent(row, r -> new HashMap<>()).putIfAbsent(column, version);
  }

  /** A whole family of a row was read. */
  void add(Row row, long version) {
    rows.putIfAbsent(row, version);
  }

  /**
   * Whether all that was read is still so; cheap when nothing was committed since.
   *
   * @param position of the last commit that is in the cache
   * @throws ConflictException when it is not
   */
  void validate(MemberCache cache, long position) {
    if (validAt == position) {
      return;
    }
    List<Conflict> conflicts = new ArrayList<>(0);
    columns.forEach(
        (row, read) ->
            read.forEach(
                (column, version) -> {
                  MemberCache.Value now = cache.get(row, column);
                  if (now != null && now.version() != version) {
                    conflicts.add(new Conflict(row, column, Cause.NEWER_COMMIT, now.version()));
                  }
                }));
    rows.forEach(
        (row, version) -> {
          long now = cache.rowVersion(row);
          if (now != version) {
            conflicts.add(new Conflict(row, WHOLE, Cause.NEWER_COMMIT, now));
          }
        });
    if (!conflicts.isEmpty()) {
      throw new ConflictException(conflicts);
    }
    validAt = position;
  }
}
