package io.braid.observers;

import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Names;
import java.util.Objects;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * Code that runs, in a transaction of its own, after a column of a table changed (Percolator,
 * section 2.4). Register it at every start of a process that is to run it, with {@code
 * Braid.observe}.
 *
 * <pre>{@code
 * Column<String> text = Column.of("content", "text", Codecs.utf8());
 * Column<Long> words = Column.of("stats", "words", Codecs.int64());
 * db.observe(Observer.of("count-words", "pages", text, (tx, row) ->
 *     tx.set(row, words, (long) tx.get(row, text).orElse("").split(" ").length)));
 * db.startWorkers();
 * }</pre>
 *
 * <p>An observer that consumes what triggers it, as the worker of a queue does, deletes the
 * observed column. That is a change of the column, too, so the observer would run again, for ever.
 * Say that it ignores deletions and its own writes:
 *
 * <pre>{@code
 * db.observe(Observer.of("send-mail", "jobs", mail, (tx, row) -> {
 *   tx.set(Row.of("sent", row.key()), mail, tx.get(row, mail).orElseThrow());
 *   tx.delete(row, mail);
 * }).ignoringDeletes().ignoringOwnWrites());
 * }</pre>
 *
 * <p>An observer that consumes what triggers it, as the worker of a queue does, deletes the
 * observed column. That is a change of the column, too, so the observer would run again, for ever.
 * Say that it ignores deletions and its own writes:
 *
 * <pre>{@code
 * db.observe(Observer.of("send-mail", "jobs", mail, (tx, row) -> {
 *   tx.set(Row.of("sent", row.key()), mail, tx.get(row, mail).orElseThrow());
 *   tx.delete(row, mail);
 * }).ignoringDeletes().ignoringOwnWrites());
 * }</pre>
 *
 * @param name identifies the observer in acknowledgments, over restarts and releases: letters,
 *     digits, '_', '.', '-', at most 128
 * @param weak whether the column is only notified, never written
 * @param ignoresDeletes whether it does not run while the column has no value
 * @param ignoresOwnWrites whether it does not run for a change that its own last run committed
 * @param body what it does; run by several threads at once, on different rows
 */
@API(status = API.Status.STABLE)
public record Observer(
    String name,
    String table,
    ColumnName column,
    boolean weak,
    boolean ignoresDeletes,
    boolean ignoresOwnWrites,
    ObserverBody body) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,128}");

  public Observer {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "'" + name + "' is no name for an observer: use letters, digits, '_', '.', '-'.");
    }
    Names.table(table);
    Names.family(column.family());
    Objects.requireNonNull(body, "body");
  }

  /**
   * Runs after transactions wrote or deleted the column.
   *
   * @throws IllegalArgumentException when the name is none
   */
  public static Observer of(String name, String table, Column<?> column, ObserverBody body) {
    return new Observer(name, table, column.name(), false, false, false, body);
  }

  /**
   * Runs after transactions notified the column weakly. Where a column has several weak observers,
   * a process that has one of them needs all of them: a notification does not tell who dealt with
   * it.
   */
  public static Observer weak(String name, String table, Column<?> column, ObserverBody body) {
    return new Observer(name, table, column.name(), true, false, false, body);
  }

  /**
   * The same observer, but it does not run while the observed column has no value. A value that is
   * set and deleted before the observer gets to it is never seen.
   *
   * @throws IllegalStateException when it is weak: a weak notification comes without a value
   */
  public Observer ignoringDeletes() {
    requireStrong("deletions");
    return new Observer(name, table, column, weak, true, ignoresOwnWrites, body);
  }

  /**
   * Returns the same observer, except that writes and deletions of its own run in the observed
   * column do not trigger it. All other writes trigger it, also those of other observers.
   *
   * @throws IllegalStateException when the observer is weak: a weak notification does not say which
   *     transaction wrote it
   */
  public Observer ignoringOwnWrites() {
    requireStrong("its own writes");
    return new Observer(name, table, column, weak, ignoresDeletes, true, body);
  }

  private void requireStrong(String what) {
    if (weak) {
      throw new IllegalStateException(
          "Observer " + name + " is weak and cannot tell " + what + " from other notifications.");
    }
  }
}
