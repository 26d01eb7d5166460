package io.braid.groups;

import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.groups.protocol.JoinRefusal;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A key group that is open, led by this process or by another: rows that belong to it alone, and
 * transactions on them at the cost of a log append. Closing it deletes the group: all commits are
 * in the store then, and the rows are free; {@link #detach} leaves it as it is instead. Safe for
 * many threads.
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
@API(status = API.Status.STABLE)
public interface Group extends AutoCloseable {
  /** Its name: the one it was created with, or one that was made. */
  String name();

  /** The leader key. */
  Row leader();

  /** The rows that belong to it. */
  Set<Row> members();

  /** The keys that did not join, and why; empty unless the group was created by best effort. */
  List<JoinRefusal> notJoined();

  /** Its state, size and history, as its leader knows them. */
  GroupInfo info();

  /**
   * Runs a body in a transaction and commits it unless the body did. Runs it again when others
   * changed values that it has read, and at the new leader when the group has another.
   *
   * @return the result of the body in the run that was committed
   * @throws io.braid.core.transaction.ConflictException when it still conflicts at the last
   *     attempt: of a group that this process leads, {@link GroupOptions#runAttempts}
   * @throws GroupGoneException when the group is deleted
   * @throws GroupOutcomeUnknownException when the commit may be durable or not
   * @throws E the exception of the body; nothing is written
   */
  <R extends @Nullable Object, E extends Exception> R run(GroupBody<R, E> body) throws E;

  /** Begins a transaction, which the caller commits; {@link #run run} is more convenient. */
  GroupTransaction begin();

  /**
   * Runs a script in one transaction at the leader: reads, changes and conditions in one message
   * (section 5.3, the read-modify-write transaction).
   *
   * @return the values that the script read, and its position in the group's history
   * @throws GroupException {@code CONDITION_FAILED} when a condition of the script does not hold;
   *     nothing was written
   * @throws GroupOutcomeUnknownException when the commit may be durable or not
   */
  GroupScript.Result run(GroupScript script);

  /**
   * Writes several members at once, atomically and durably, without isolation: values that the
   * updates read may have changed by then (section 5.3, the atomic updater).
   *
   * @return the position of the commit in the group's history
   */
  long update(Consumer<GroupTransaction> updates);

  /**
   * Returns the newest value of a column of a member, empty when it has none. The value is durable,
   * like the values that a transaction commits.
   *
   * @throws IllegalArgumentException when the row is no member
   */
  <T> Optional<T> read(Row row, Column<T> column);

  /**
   * Waits until all commits are in the store, where snapshots outside see them. They come there by
   * themselves too, a little later.
   *
   * @throws GroupException when the store does not take them; they stay in the log
   */
  void ship();

  /** Closes this without deleting the group; {@link Groups#open Groups.open} opens it again. */
  void detach();

  /**
   * Deletes the group, unless that was done or it was detached.
   *
   * @throws GroupException when the store does not let it end; it will be tried again in the
   *     background
   */
  @Override
  void close();
}
