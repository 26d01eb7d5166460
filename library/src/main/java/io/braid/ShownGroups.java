package io.braid;

import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.groups.Group;
import io.braid.groups.GroupInfo;
import io.braid.groups.GroupRequest;
import io.braid.groups.Groups;
import io.braid.groups.LocalGroups;
import io.braid.groups.log.LogEntry;
import io.braid.groups.node.Leaders;
import java.util.List;
import java.util.Optional;

/** The groups that this process leads. Information about other groups comes from their leaders. */
final class ShownGroups implements Groups {
  private final LocalGroups local;
  private final Leaders leaders;

  ShownGroups(LocalGroups local, Leaders leaders) {
    this.local = local;
    this.leaders = leaders;
  }

  /** Those that this process leads. */
  LocalGroups local() {
    return local;
  }

  @Override
  public List<GroupInfo> list() {
    return leaders.list();
  }

  @Override
  public Optional<GroupInfo> find(String name) {
    return leaders.find(name);
  }

  @Override
  public Group create(GroupRequest request) {
    return local.create(request);
  }

  @Override
  public Group open(String name) {
    return local.open(name);
  }

  @Override
  public void delete(String name) {
    local.delete(name);
  }

  @Override
  public void delete(GroupInfo group) {
    local.delete(group);
  }

  @Override
  public void giveUp(GroupInfo group) {
    local.giveUp(group);
  }

  @Override
  public List<LogEntry> pending(String name, long after) {
    return local.pending(name, after);
  }

  @Override
  public List<Row> membersOf(String name) {
    return local.membersOf(name);
  }

  @Override
  public <T> Optional<T> latest(Row row, Column<T> column) {
    return local.latest(row, column);
  }

  @Override
  public void handOver(String name, String node) {
    local.handOver(name, node);
  }

  @Override
  public int count() {
    return local.count();
  }

  @Override
  public void close() {
    local.close();
  }
}
