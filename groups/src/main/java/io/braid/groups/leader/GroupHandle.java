package io.braid.groups.leader;

import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.runtime.UninterruptedWork;
import io.braid.core.transaction.ConflictException;
import io.braid.groups.Group;
import io.braid.groups.GroupBody;
import io.braid.groups.GroupInfo;
import io.braid.groups.GroupScript;
import io.braid.groups.GroupTransaction;
import io.braid.groups.protocol.JoinRefusal;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A group that a caller in the process of its leader has opened. The group itself is a {@link
 * LedGroup}.
 */
final class GroupHandle implements Group {
  private final GroupLeader groups;
  private final OptimisticTransaction.Context context;
  private final LedGroup group;
  private boolean open = true;

  GroupHandle(GroupLeader groups, OptimisticTransaction.Context context, LedGroup group) {
    this.groups = groups;
    this.context = context;
    this.group = group;
    group.open(1);
  }

  boolean isLedBy(@Nullable LedGroup now) {
    return group == now;
  }

  @Override
  public String name() {
    return group.record().name();
  }

  @Override
  public Row leader() {
    return group.record().leader();
  }

  @Override
  public Set<Row> members() {
    return group.members();
  }

  @Override
  public List<JoinRefusal> notJoined() {
    return group.notJoined();
  }

  @Override
  public GroupInfo info() {
    return groups.info(group);
  }

  @Override
  public <R extends @Nullable Object, E extends Exception> R run(GroupBody<R, E> body) throws E {
    for (int attempt = 1; ; attempt++) {
      OptimisticTransaction tx = begin(true);
      try (tx) {
        R result = body.run(tx);
        if (tx.isActive()) {
          tx.commit();
        }
        return result;
      } catch (ConflictException e) {
        if (!tx.hasConflicted() || attempt == context.runAttempts()) {
          throw e;
        }
      }
    }
  }

  @Override
  public GroupTransaction begin() {
    return begin(true);
  }

  private OptimisticTransaction begin(boolean isolated) {
    return new OptimisticTransaction(context, group, isolated);
  }

  @Override
  public GroupScript.Result run(GroupScript script) {
    return run(
        tx -> {
          List<Optional<Bytes>> values = script.run(tx);
          return new GroupScript.Result(tx.commit(), values);
        });
  }

  @Override
  public long update(Consumer<GroupTransaction> updates) {
    OptimisticTransaction tx = updater();
    try (tx) {
      updates.accept(tx);
      return tx.commit();
    }
  }

  OptimisticTransaction updater() {
    return begin(false);
  }

  /** The tables of the members. */
  Set<String> tables() {
    return group.tables();
  }

  @Override
  public <T> Optional<T> read(Row row, Column<T> column) {
    return groups.readDurable(group, row, column);
  }

  @Override
  public void ship() {
    groups.ship(group);
  }

  @Override
  public synchronized void detach() {
    if (open) {
      open = false;
      group.open(-1);
    }
  }

  @Override
  public void close() {
    boolean delete;
    synchronized (this) {
      delete = open;
    }
    if (delete) {
      UninterruptedWork.againStep(
          () -> {
            detach();
            groups.delete(group);
          });
    }
  }
}
