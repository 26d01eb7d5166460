package io.braid.simulation.workload;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The journal of what clients of group nodes did and saw. Each row has a list and chips.
 * Transactions append unique numbers to the lists and move chips between rows. {@link GroupJudge}
 * judges the journal.
 */
public final class GroupJournal {
  public static final String TABLE = "players";
  public static final String FAMILY = "f";
  static final Column<String> LIST = Column.of(FAMILY, "list", Codecs.utf8());
  static final Column<Long> CHIPS = Column.of(FAMILY, "chips", Codecs.int64());
  public static final long FIRST_CHIPS = 100;

  private final LongSupplier clock;
  private final List<Deed> deeds = new ArrayList<>();
  private final List<Look> looks = new ArrayList<>();
  private final List<Shipped> shipped = new ArrayList<>();
  private final Map<String, Long> counts = new TreeMap<>();
  private long numbers;
  private long names;

  public GroupJournal(LongSupplier clock) {
    this.clock = clock;
  }

  /** How a transaction ended, as far as its client knows. */
  enum End {
    OK,
    FAIL,
    UNKNOWN
  }

  /** A transaction, in a group or outside. */
  final class Deed {
    final long number;

    /** Empty for one outside. */
    final String group;

    final long start;
    final Map<Integer, String> read = new LinkedHashMap<>();
    final List<Integer> appended = new ArrayList<>();
    long end = Long.MAX_VALUE;

    /** In the history of its group; 0 when that is not known. */
    long position;

    /** A client that is not heard of again may have committed. */
    End how = End.UNKNOWN;

    private Deed(String group) {
      this.number = ++numbers;
      this.group = group;
      this.start = clock.getAsLong();
    }

    void committed(long at) {
      how = End.OK;
      position = at;
      end = clock.getAsLong();
      count(group.isEmpty() ? "outside-ok" : "turns-ok");
    }

    void failed() {
      how = End.FAIL;
      count(group.isEmpty() ? "outside-fail" : "turns-fail");
    }

    void unknown() {
      count(group.isEmpty() ? "outside-info" : "turns-info");
    }

    boolean isUnknown() {
      return how == End.UNKNOWN;
    }

    @Override
    public String toString() {
      return number
          + " in '"
          + group
          + "' at "
          + position
          + " ("
          + how
          + ", appended to "
          + appended
          + ", read "
          + read
          + ")";
    }
  }

  /** A snapshot of all rows, from outside. */
  public record Look(long start, Map<Integer, String> lists, long chips) {}

  /** From {@code done} on, snapshots show what was committed in the group before {@code asked}. */
  record Shipped(String group, long asked, long done) {}

  static Row row(int key) {
    return Row.of(TABLE, String.format("r%03d", key));
  }

  public static List<Row> rows(int keys) {
    return IntStream.range(0, keys).mapToObj(GroupJournal::row).toList();
  }

  /** Where to split a table of so many rows. */
  public static List<Bytes> splits(int keys) {
    return IntStream.range(1, Keys.TABLETS)
        .mapToObj(i -> row(keys * i / Keys.TABLETS).key())
        .distinct()
        .toList();
  }

  static int key(Row row) {
    return Integer.parseInt(row.key().toUtf8().substring(1));
  }

  /** A list with one more number. */
  static String with(@Nullable String list, long number) {
    return (list == null ? "" : list) + number + ",";
  }

  Deed begin(String group) {
    Deed deed = new Deed(group);
    deeds.add(deed);
    return deed;
  }

  /** Returns a name for a group, or for anything else that needs a unique name. */
  long newName() {
    return ++names;
  }

  void looked(Look look) {
    looks.add(look);
    count("looks-ok");
  }

  void shipped(String group, long asked) {
    shipped.add(new Shipped(group, asked, clock.getAsLong()));
  }

  long now() {
    return clock.getAsLong();
  }

  /** Counts something, for the report. */
  void count(String what) {
    counts.merge(what, 1L, Long::sum);
  }

  public Map<String, Long> counts() {
    return Collections.unmodifiableMap(counts);
  }

  List<Deed> deeds() {
    return deeds;
  }

  List<Look> looks() {
    return looks;
  }

  List<Shipped> shipped() {
    return shipped;
  }
}
