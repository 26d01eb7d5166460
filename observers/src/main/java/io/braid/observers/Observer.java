package io.braid.observers;

import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Names;
import java.util.Objects;
import java.util.regex.Pattern;

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
 * @param name identifies the observer in acknowledgments, over restarts and releases: letters,
 *     digits, '_', '.', '-', at most 128
 * @param weak whether the column is only notified, never written
 * @param body what it does; run by several threads at once, on different rows
 */
public record Observer(
    String name, String table, ColumnName column, boolean weak, ObserverBody body) {
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
    return new Observer(name, table, column.name(), false, body);
  }

  /**
   * Runs after transactions notified the column weakly. Where a column has several weak observers,
   * a process that has one of them needs all of them: a notification does not tell who dealt with
   * it.
   */
  public static Observer weak(String name, String table, Column<?> column, ObserverBody body) {
    return new Observer(name, table, column.name(), true, body);
  }
}
