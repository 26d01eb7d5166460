package io.braid.groups.leader;

import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Chooses the members that are read in the same trip as one that is not in the cache yet (section
 * 5.4: the leader caches the contents of the members). A group that reads a column of one member
 * usually reads the same column of the others. So a trip reads the column of the next members too,
 * of more of them at each miss.
 *
 * <p>Each trip is bounded in rows and, by the recent size of the column's values, in bytes. Each
 * group is bounded in columns and bytes. Beyond these bounds members are read one by one. Not safe
 * for threads: the group's monitor guards it.
 */
final class ReadAhead {
  private static final int FIRST = 64;
  private static final int GROWTH = 4;
  private static final int MOST_COLUMNS = 16;
  private static final long MOST_BYTES = 16L << 20;

  private final List<Row> members;
  private final Sizes sizes;
  private final int mostRows;
  private final Map<Place, Course> courses = new HashMap<>();
  private long bytes;

  /** A column of the rows of a table. */
  record Place(String table, ColumnName column) {}

  /** How far a column has been read ahead. */
  private static final class Course {
    private int next;
    private int rows = FIRST;
  }

  /**
   * The recent size of a column's values in the cache, for each row. It covers all groups of a
   * process, since most do not live long enough to learn it. Safe for threads.
   */
  static final class Sizes {
    private static final int MOST_PLACES = 1000;
    private static final long TRIP = 4L << 20;

    /** Besides the value itself, about. */
    private static final long ENTRY = 100;

    private final Map<Place, Long> sizes = new ConcurrentHashMap<>();

    /** How many rows of it bring some megabytes at most; one where that is not known. */
    int rows(Place place) {
      return (int) Math.max(1, TRIP / sizes.getOrDefault(place, TRIP));
    }

    long learn(Place place, Collection<Optional<Bytes>> values) {
      long sum = 0;
      for (Optional<Bytes> value : values) {
        sum += ENTRY + value.map(Bytes::length).orElse(0);
      }
      if (sizes.size() < MOST_PLACES || sizes.containsKey(place)) {
        sizes.put(place, sum / Math.max(1, values.size()));
      }
      return sum;
    }
  }

  /**
   * @param mostRows in one trip; 1: none is read along
   */
  ReadAhead(Set<Row> members, int mostRows, Sizes sizes) {
    this.members = List.copyOf(members);
    this.mostRows = mostRows;
    this.sizes = sizes;
  }

  /**
   * Returns the rows to read when a column of one is missing: that row, and others of its table.
   */
  List<Row> with(Row row, ColumnName column, MemberCache cache) {
    List<Row> rows = new ArrayList<>();
    rows.add(row);
    Place place = new Place(row.table(), column);
    if (bytes >= MOST_BYTES || (!courses.containsKey(place) && courses.size() == MOST_COLUMNS)) {
      return rows;
    }
    Course course = courses.computeIfAbsent(place, p -> new Course());
    int most = Math.min(Math.min(course.rows, mostRows), sizes.rows(place));
    while (rows.size() < most && course.next < members.size()) {
      Row member = members.get(course.next++);
      boolean wanted = member.table().equals(row.table()) && !member.equals(row);
      if (wanted && cache.get(member, column) == null) {
        rows.add(member);
      }
    }
    course.rows = Math.min(mostRows, course.rows * GROWTH);
    return rows;
  }

  /** Records the values that a trip has brought. */
  void took(String table, ColumnName column, Collection<Optional<Bytes>> values) {
    bytes += sizes.learn(new Place(table, column), values);
  }
}
