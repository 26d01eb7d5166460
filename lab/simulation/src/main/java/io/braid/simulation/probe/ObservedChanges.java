package io.braid.simulation.probe;

import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.simulation.cluster.CellListener.Change;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;

/** The remaining work of observers: the notifications that are set, and the dead letters. */
final class ObservedChanges {
  private final Set<Mark> notifications = new LinkedHashSet<>();
  private final Set<Mark> deadLetters = new LinkedHashSet<>();
  private long deadLettersWritten;

  /** A notification that is set, or a dead letter. */
  private record Mark(Row row, ColumnName column, long version) {
    static Mark of(Change change) {
      return new Mark(change.row(), change.column(), change.version());
    }
  }

  void lookAtNotification(Change change) {
    if (change.value() == null) {
      notifications.remove(Mark.of(change));
    } else {
      notifications.add(Mark.of(change));
    }
  }

  /**
   * @param again whether this is no event: all cells are being looked at again
   */
  void lookAtDeadLetter(Change change, boolean again) {
    if (change.value() == null) {
      deadLetters.remove(Mark.of(change));
    } else if (deadLetters.add(Mark.of(change)) && !again) {
      deadLettersWritten++;
    }
  }

  boolean hasNotifications() {
    return !notifications.isEmpty();
  }

  boolean hasDeadLetters() {
    return !deadLetters.isEmpty();
  }

  /** Returns how many dead letters were written, even if they are no longer there. */
  long deadLettersWritten() {
    return deadLettersWritten;
  }

  /** The dead letters, by the names of their observers and their rows. */
  Set<String> deadLetters(BiFunction<String, Row, String> name) {
    Set<String> names = new TreeSet<>();
    for (Mark mark : deadLetters) {
      String qualifier = mark.column.qualifier().toUtf8();
      names.add(name.apply(qualifier.substring(0, qualifier.indexOf('/')), mark.row));
    }
    return names;
  }

  void clear() {
    notifications.clear();
    deadLetters.clear();
  }

  @Override
  public String toString() {
    return notifications.size() + " notifications: " + notifications.stream().limit(3).toList();
  }
}
