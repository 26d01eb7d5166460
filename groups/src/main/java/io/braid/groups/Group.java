package io.braid.groups;

import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.ConflictException;
import io.braid.groups.protocol.NotJoined;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A group that is open. Closing it deletes the group: all commits are in the store then, and the
 * rows are free; {@link #detach} leaves it as it is instead. Safe for many threads.
 *
 * <pre>{@code
 * try (Group table = db.group(List.of(alice, bob))) {
 *   table.run(tx -> {
 *     tx.set(alice, chips, tx.get(alice, chips).orElse(0L) - 5);
 *     tx.set(bob, chips, tx.get(bob, chips).orElse(0L) + 5);
 *     return 5;
 *   });
 * }
 * }</pre>
 */
public final class Group implements AutoCloseable {
  private final Groups groups;
  private final LiveGroup live;
  private boolean open = true;

  Group(Groups groups, LiveGroup live) {
    this.groups = groups;
    this.live = live;
    live.open(1);
  }

  public String name() {
    return live.record().name();
  }

  /** The leader key. */
  public Row leader() {
    return live.record().leader();
  }

  public Set<Row> members() {
    return live.members();
  }

  /** The keys that did not join, and why; empty unless the group was created by best effort. */
  public List<NotJoined> notJoined() {
    return live.notJoined();
  }

  public GroupInfo info() {
    return groups.info(live);
  }

  /**
   * Runs a body in a transaction and commits it unless the body did; runs it again when others
   * changed what it has read.
   *
   * @throws GroupGoneException when the group is deleted
   */
  public <R extends @Nullable Object, E extends Exception> R run(GroupBody<R, E> body) throws E {
    int attempts = groups.options().runAttempts();
    for (int attempt = 1; ; attempt++) {
      OptimisticTransaction tx = groups.begin(live, true);
      try (tx) {
        R result = body.run(tx);
        if (tx.isActive()) {
          tx.commit();
        }
        return result;
      } catch (ConflictException e) {
        if (!tx.hasConflicted() || attempt == attempts) {
          throw e;
        }
      }
    }
  }

  /** Begins a transaction, which the caller commits; {@link #run} is more convenient. */
  public GroupTransaction begin() {
    return groups.begin(live, true);
  }

  /**
   * Writes several members at once, atomically and durably, without isolation: what the updates
   * read may have changed by then (section 5.3, the atomic updater).
   *
   * @return the position of the group's history that the commit stands at
   */
  public long update(Consumer<GroupTransaction> updates) {
    OptimisticTransaction tx = groups.begin(live, false);
    try (tx) {
      updates.accept(tx);
      return tx.commit();
    }
  }

  /** The newest value of a column of a member. */
  public <T> Optional<T> read(Row row, Column<T> column) {
    try (GroupTransaction tx = begin()) {
      return tx.get(row, column);
    }
  }

  /** Waits until all commits are in the store, where snapshots outside see them. */
  public void ship() {
    groups.ship(live);
  }

  /** Closes this without deleting the group; {@link Groups#open} opens it again. */
  public synchronized void detach() {
    if (open) {
      open = false;
      live.open(-1);
    }
  }

  /**
   * Deletes the group, unless that was done or it was detached.
   *
   * @throws GroupException when the store does not let it end; it will be tried again in the
   *     background
   */
  @Override
  public void close() {
    boolean delete;
    synchronized (this) {
      delete = open;
    }
    if (delete) {
      detach();
      groups.delete(live);
    }
  }
}
