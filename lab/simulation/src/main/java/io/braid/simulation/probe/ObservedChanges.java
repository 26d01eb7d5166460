package io.braid.simulation.probe;

import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.simulation.cluster.CellListener.Change;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;

/** The remaining work of observers: the notifications that are set, and the parked changes. */
final class ObservedChanges {
  private final Set<Mark> notifications = new LinkedHashSet<>();
  private final Set<Mark> parked = new LinkedHashSet<>();
  private long timesParked;

  /** A notification that is set, or a change that is parked. */
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
  void lookAtParked(Change change, boolean again) {
    if (change.value() == null) {
      parked.remove(Mark.of(change));
    } else if (parked.add(Mark.of(change)) && !again) {
      timesParked++;
    }
  }

  boolean hasNotifications() {
    return !notifications.isEmpty();
  }

  boolean hasParked() {
    return !parked.isEmpty();
  }

  /** Returns how often a change was parked, even if the change is no longer parked. */
  long timesParked() {
    return timesParked;
  }

  /** The changes that are parked, by the names of their observers and their rows. */
  Set<String> parked(BiFunction<String, Row, String> name) {
    Set<String> names = new TreeSet<>();
    for (Mark mark : parked) {
      String qualifier = mark.column.qualifier().toUtf8();
      names.add(name.apply(qualifier.substring(0, qualifier.indexOf('/')), mark.row));
    }
    return names;
  }

  void clear() {
    notifications.clear();
    parked.clear();
  }

  @Override
  public String toString() {
    return notifications.size() + " notifications: " + notifications.stream().limit(3).toList();
  }
}
