package io.braid.tracing;

import io.braid.core.data.Column;
import io.braid.core.data.Row;
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
 * A key group whose transactions are spans. Its reads come from memory and its commits go to its
 * log: the later shipment to the store, for many commits at once, belongs to none of the traces.
 */
final class TracedGroup implements Group {
  private final Group inner;
  private final Tracing tracing;

  TracedGroup(Group inner, Tracing tracing) {
    this.inner = inner;
    this.tracing = tracing;
  }

  @Override
  public String name() {
    return inner.name();
  }

  @Override
  public Row leader() {
    return inner.leader();
  }

  @Override
  public Set<Row> members() {
    return inner.members();
  }

  @Override
  public List<JoinRefusal> notJoined() {
    return inner.notJoined();
  }

  @Override
  public GroupInfo info() {
    return inner.info();
  }

  @Override
  public <R extends @Nullable Object, E extends Exception> R run(GroupBody<R, E> body) throws E {
    return tracing.<R, E>in("group.run", span -> inner.run(body));
  }

  /** Begins a transaction, without a span: the end of the transaction is not seen here. */
  @Override
  public GroupTransaction begin() {
    return inner.begin();
  }

  @Override
  public GroupScript.Result run(GroupScript script) {
    return tracing.in("group.run", span -> inner.run(script));
  }

  @Override
  public long update(Consumer<GroupTransaction> updates) {
    return tracing.in("group.update", span -> inner.update(updates));
  }

  @Override
  public <T> Optional<T> read(Row row, Column<T> column) {
    return tracing.in("group.read", span -> inner.read(row, column));
  }

  @Override
  public void ship() {
    tracing.in(
        "group.ship",
        span -> {
          inner.ship();
          return true;
        });
  }

  @Override
  public void detach() {
    inner.detach();
  }

  @Override
  public void close() {
    tracing.in(
        "group.delete",
        span -> {
          inner.close();
          return true;
        });
  }
}
