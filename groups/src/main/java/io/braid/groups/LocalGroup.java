package io.braid.groups;

import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.runtime.Uninterrupted;
import io.braid.groups.protocol.NotJoined;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A group that is led in this process. */
final class LocalGroup implements Group {
  private final LocalGroups groups;
  private final LiveGroup live;
  private boolean open = true;

  LocalGroup(LocalGroups groups, LiveGroup live) {
    this.groups = groups;
    this.live = live;
    live.open(1);
  }

  boolean isLedBy(@Nullable LiveGroup now) {
    return live == now;
  }

  @Override
  public String name() {
    return live.record().name();
  }

  @Override
  public Row leader() {
    return live.record().leader();
  }

  @Override
  public Set<Row> members() {
    return live.members();
  }

  @Override
  public List<NotJoined> notJoined() {
    return live.notJoined();
  }

  @Override
  public GroupInfo info() {
    return groups.info(live);
  }

  @Override
  public <R extends @Nullable Object, E extends Exception> R run(GroupBody<R, E> body) throws E {
    return Group.repeat(this, groups.options().runAttempts(), body);
  }

  @Override
  public GroupTransaction begin() {
    return groups.begin(live, true);
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
    return groups.begin(live, false);
  }

  /** The tables of the members. */
  Set<String> tables() {
    return live.tables();
  }

  @Override
  public <T> Optional<T> read(Row row, Column<T> column) {
    return groups.readDurable(live, row, column);
  }

  @Override
  public void ship() {
    groups.ship(live);
  }

  @Override
  public synchronized void detach() {
    if (open) {
      open = false;
      live.open(-1);
    }
  }

  @Override
  public void close() {
    boolean delete;
    synchronized (this) {
      delete = open;
    }
    if (delete) {
      Uninterrupted.againStep(
          () -> {
            detach();
            groups.delete(live);
          });
    }
  }
}
