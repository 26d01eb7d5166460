package io.braid.tracing;

import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.groups.Group;
import io.braid.groups.GroupInfo;
import io.braid.groups.GroupRequest;
import io.braid.groups.Groups;
import io.braid.groups.log.LogEntry;
import java.util.List;
import java.util.Optional;

/** Key groups whose creation, transactions and end are spans. */
public final class TracedGroups implements Groups {
  private final Groups inner;
  private final Tracing tracing;

  public TracedGroups(Groups inner, Tracing tracing) {
    this.inner = inner;
    this.tracing = tracing;
  }

  @Override
  public Group create(GroupRequest request) {
    return tracing.in(
        "group.create",
        span -> {
          Group group = inner.create(request);
          span.setAttribute("braid.rows", group.members().size());
          return new TracedGroup(group, tracing);
        });
  }

  @Override
  public Group open(String name) {
    return new TracedGroup(inner.open(name), tracing);
  }

  @Override
  public void delete(String name) {
    tracing.in(
        "group.delete",
        span -> {
          inner.delete(name);
          return name;
        });
  }

  @Override
  public void delete(GroupInfo group) {
    tracing.in(
        "group.delete",
        span -> {
          inner.delete(group);
          return group;
        });
  }

  @Override
  public void giveUp(GroupInfo group) {
    tracing.in(
        "group.give-up",
        span -> {
          inner.giveUp(group);
          return group;
        });
  }

  @Override
  public List<GroupInfo> list() {
    return inner.list();
  }

  @Override
  public Optional<GroupInfo> find(String name) {
    return inner.find(name);
  }

  @Override
  public List<LogEntry> pending(String name, long after) {
    return inner.pending(name, after);
  }

  @Override
  public List<Row> membersOf(String name) {
    return inner.membersOf(name);
  }

  @Override
  public <T> Optional<T> latest(Row row, Column<T> column) {
    return inner.latest(row, column);
  }

  @Override
  public void handOver(String name, String node) {
    tracing.in(
        "group.hand-over",
        span -> {
          inner.handOver(name, node);
          return name;
        });
  }

  @Override
  public int count() {
    return inner.count();
  }

  @Override
  public void close() {
    inner.close();
  }
}
