package io.braid.groups;

import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.store.TabletUnavailableException;
import io.braid.groups.log.LogEntry;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Key groups: created, opened, looked at and deleted, at a leader in this process or in others.
 * Safe for many threads.
 */
@API(status = API.Status.STABLE)
public interface Groups extends AutoCloseable {
  /**
   * Creates a group of all these keys; the first one is the leader key.
   *
   * @throws GroupCreationException when keys did not join; none is held
   */
  default Group create(Collection<Row> keys) {
    return create(GroupRequest.of(keys));
  }

  /**
   * Creates a group.
   *
   * @throws GroupCreationException when keys did not join that had to; none is held
   * @throws GroupException when there is a group of that name, or too many groups
   * @throws IllegalArgumentException when the keys cannot be those of a group
   */
  Group create(GroupRequest request);

  /**
   * Opens a group that is there, such as one of an earlier life of the database.
   *
   * @throws GroupGoneException when there is none
   */
  Group open(String name);

  /**
   * Deletes the group that has a name now; as {@link #delete(GroupInfo)}.
   *
   * @throws GroupGoneException when there is none, or its leader cannot be reached from here
   */
  void delete(String name);

  /**
   * Deletes just this group: all its commits are in the store when this returns, and its rows are
   * free. Does nothing when the group has ended already, even if another group has its name by now.
   * So the call may be repeated when an answer was lost. A group that is being formed does not
   * become live; its creator gets an exception.
   *
   * @throws GroupGoneException when its leader cannot be reached from here
   * @throws GroupStuckException when the store refuses commits of it, or it cannot be taken up: it
   *     stays, live if it was, and the text says what to do
   * @throws GroupException when the store does not let it end; the deletion goes on in the
   *     background
   */
  void delete(GroupInfo group);

  /**
   * As {@link #delete(GroupInfo)}, but also gives up a stuck group. A group is stuck, for example,
   * when a table of its rows is gone, or when its leader has ended and its log is not here. Its
   * existing rows are free then, and commits that are not in the store are lost. {@link #pending}
   * shows these before.
   *
   * @throws GroupGoneException when its leader cannot be reached from here
   * @throws TabletUnavailableException when the store is away, which is no reason to give it up
   */
  void giveUp(GroupInfo group);

  /**
   * Returns commits of a group that are not in the store yet, oldest first, some MiB of them at a
   * time. They can be saved before a group has to be given up.
   *
   * @param after the position of the last known commit; 0 at the beginning
   * @return empty when there are no more
   * @throws GroupGoneException when there is no such group, or its leader cannot be reached
   */
  List<LogEntry> pending(String name, long after);

  /** All groups that the store knows, in the order of their names. */
  List<GroupInfo> list();

  /** A group by its name; empty when there is none. */
  Optional<GroupInfo> find(String name);

  /** The keys of a group, as its record has them. */
  List<Row> membersOf(String name);

  /**
   * The newest value of a column: from the leader if the row is in a group.
   *
   * @throws GroupGoneException when the leader cannot be reached from here
   */
  <T> Optional<T> latest(Row row, Column<T> column);

  /**
   * Hands a group to another node, which leads it from then on; it is not dissolved. Its
   * transactions that are not committed have to be begun again.
   *
   * @param node the name of the node
   * @throws GroupException when there is no such node, or it does not answer; then this one leads
   *     the group on
   */
  void handOver(String name, String node);

  /** How many groups this process leads. */
  int count();

  /**
   * Closes this object; the groups stay as they are. A {@code Braid} closes its {@code Groups}
   * itself; callers need not.
   */
  @Override
  void close();
}
