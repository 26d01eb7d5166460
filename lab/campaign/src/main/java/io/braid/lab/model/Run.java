package io.braid.lab.model;

import io.braid.Braid;
import io.braid.client.BraidClient;
import io.braid.client.RefusedException;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.failure.ErrorCode;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.TransactionException;
import io.braid.groups.Group;
import io.braid.lab.model.Model.Answer;
import io.braid.lab.model.Model.Cell;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** One program on its way: the database, the model, and what was done to both. */
final class Run {
  static final List<String> TABLES = List.of("t0", "t1", "t2");
  static final Column<String> A = Column.of("f", "a", Codecs.utf8());
  static final Column<String> B = Column.of("f", "b", Codecs.utf8());
  static final Column<String> C = Column.of("g", "c", Codecs.utf8());
  static final List<Column<String>> COLUMNS = List.of(A, B, C);
  private static final int ROWS = 6;
  private static final int VALUES = 5;
  private static final int LONG = 70_000;

  final Model model = new Model();
  final Random random;
  final Path directory;
  final EnumSet<Feature> used = EnumSet.noneOf(Feature.class);
  final List<String> log = new ArrayList<>();
  final List<OpenTransaction> open = new ArrayList<>();
  final Map<String, Group> groups = new HashMap<>();
  final List<Long> moments = new ArrayList<>(); // timestamps of which everything is known
  final Set<Long> pinned = new TreeSet<>();
  long collected; // snapshots below may be gone
  final Set<String> observing = new TreeSet<>(); // tables whose observers run in this process
  Braid db;
  private Opened opened;
  private @Nullable Disturber disturber;
  private Path data;
  private int names;

  Run(Random random, Path directory) {
    this.random = random;
    this.directory = directory;
    this.data = directory.resolve("data");
    this.opened = Opened.alone(data, Duration.ZERO);
    this.db = opened.db;
  }

  // --- chances ---------------------------------------------------------------------------------

  <T> T any(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  Row anyRow(String table) {
    return Row.of(table, "r" + random.nextInt(ROWS));
  }

  String anyTable() {
    return any(TABLES);
  }

  /** A table that is there, if there is one. */
  Optional<String> anyLiving() {
    return model.tables.isEmpty()
        ? Optional.empty()
        : Optional.of(any(List.copyOf(model.tables.keySet())));
  }

  /** A value, or empty: a deletion. Only one column has long ones. */
  Optional<String> anyValue(Column<String> column) {
    if (chance(20)) {
      return Optional.empty();
    }
    String value = chance(10) ? "" : "v" + random.nextInt(VALUES);
    return Optional.of(column == C && chance(20) ? value + "x".repeat(LONG) : value);
  }

  static List<String> values() {
    List<String> all = new ArrayList<>(List.of(""));
    for (int i = 0; i < VALUES; i++) {
      all.add("v" + i);
    }
    return all;
  }

  static Set<Row> rows(String table) {
    Set<Row> all = new TreeSet<>();
    for (int i = 0; i < ROWS; i++) {
      all.add(Row.of(table, "r" + i));
    }
    return all;
  }

  static Cell cell(Row row, Column<String> column) {
    return new Cell(row, column.name());
  }

  static Column<String> column(Cell cell) {
    return COLUMNS.stream()
        .filter(each -> each.name().equals(cell.column()))
        .findFirst()
        .orElseThrow();
  }

  String name(String prefix) {
    return prefix + ++names;
  }

  // --- time ------------------------------------------------------------------------------------

  /** A timestamp at or above all that was given out. */
  long now() {
    try (Snapshot snapshot = db.snapshot()) {
      return snapshot.timestamp();
    }
  }

  /** Whether everything at a moment is still to be seen. */
  boolean keeps(long moment) {
    return pinned.contains(moment) || moment > collected;
  }

  // --- what comes of a step ----------------------------------------------------------------------

  void say(String what) {
    log.add(what);
  }

  AssertionError wrong(String what) {
    return new AssertionError(what);
  }

  /**
   * Does something that may be refused.
   *
   * @param refused whether that is expected
   * @param by the names of what it may throw, without "Exception"
   * @return whether it was done
   */
  boolean does(String what, Answer refused, Runnable body, String... by) {
    try {
      body.run();
    } catch (RuntimeException e) {
      String name = refusal(e);
      say(what + ": " + name + " " + shortened(String.valueOf(e.getMessage())));
      if (refused == Answer.NO || !List.of(by).contains(name)) {
        AssertionError wrong =
            wrong(what + " was refused, expected: " + refused + " of " + List.of(by));
        wrong.initCause(e);
        throw wrong;
      }
      return false;
    }
    say(what);
    if (refused == Answer.YES) {
      throw wrong(what + " was done, and ought to be refused by one of " + List.of(by));
    }
    return true;
  }

  /** Returns the name of an exception, or the refusal that a server has made of it. */
  private static String refusal(RuntimeException e) {
    if (e instanceof TransactionException failed) {
      if (failed.code() == ErrorCode.SNAPSHOT_TOO_OLD) {
        return "SnapshotTooOld";
      }
      if (failed.code() == ErrorCode.TRANSACTION_EXPIRED) {
        return "TransactionExpired";
      }
    }
    if (!(e instanceof RefusedException refused)) {
      return e.getClass().getSimpleName().replace("Exception", "");
    }
    return switch (refused.reason()) {
      case "NO_SUCH_TABLE" -> "UnknownTable";
      case "BAD_REQUEST" -> "IllegalArgument";
      case "HELD_BY_GROUP" -> "KeyHeldByGroup";
      case "TABLE_REPLACED" -> "TableReplaced";
      case "SNAPSHOT_TOO_OLD" -> "SnapshotTooOld";
      case "DUPLICATE_VALUE" -> "DuplicateValue";
      case "GROUP" -> "Group";
      default -> refused.reason();
    };
  }

  void requireOneOf(String what, Set<Optional<String>> expected, Optional<String> seen) {
    if (!expected.contains(seen)) {
      throw wrong(
          what
              + " shows "
              + brief(seen)
              + ", expected "
              + expected.stream().map(Run::brief).toList());
    }
  }

  static String brief(Map<Cell, Optional<String>> values) {
    return values.entrySet().stream()
        .map(each -> each.getKey() + "=" + brief(each.getValue()))
        .toList()
        .toString();
  }

  static String brief(Optional<String> value) {
    return value.map(Run::shortened).orElse("nothing");
  }

  private static String shortened(String text) {
    return text.length() > 200 ? text.substring(0, 20) + "..(" + text.length() + ")" : text;
  }

  // --- lives of the database ------------------------------------------------------------------

  /** Lets go of all that the program holds: it goes with the process. */
  void letGo() {
    open.forEach(each -> each.tx.rollback());
    open.clear();
    groups.clear();
    observing.clear();
  }

  void close() {
    beAlone();
    letGo();
    opened.close();
  }

  /** Starts a {@link Disturber} that works beside the program until the database is closed. */
  void disturb() {
    if (disturber == null) {
      say("disturb");
      disturber = new Disturber(db, directory, random.nextLong());
    }
  }

  /** Ends what works beside the program. */
  void beAlone() {
    Disturber now = disturber;
    disturber = null;
    if (now != null) {
      now.close();
    }
  }

  Path data() {
    return data;
  }

  /** The client of the server that this process is, if it is one. */
  Optional<BraidClient> client() {
    return opened.client;
  }

  void reopen(Duration wrongClock) {
    close();
    openWith(Opened.alone(data, wrongClock));
  }

  void reopenAsServer() {
    close();
    openWith(Opened.served(data));
  }

  /** Goes on in a copy, as what it was. */
  void moveTo(Path copy) {
    boolean served = client().isPresent();
    close();
    data = copy;
    openWith(served ? Opened.served(data) : Opened.alone(data, Duration.ZERO));
  }

  private void openWith(Opened next) {
    opened = next;
    db = next.db;
  }
}
