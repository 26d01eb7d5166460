package io.braid;

import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.groups.Group;
import io.braid.groups.GroupInfo;
import io.braid.groups.GroupRequest;
import io.braid.groups.Groups;
import io.braid.groups.leader.GroupLeader;
import io.braid.groups.log.LogEntry;
import io.braid.groups.node.Leaders;
import java.util.List;
import java.util.Optional;

/** Groups of a {@link GroupLeader}, with information about other groups from their leaders. */
final class InformedGroups implements Groups {
  private final GroupLeader leader;
  private final Leaders leaders;

  InformedGroups(GroupLeader leader, Leaders leaders) {
    this.leader = leader;
    this.leaders = leaders;
  }

  /** The leader in this process. */
  GroupLeader leader() {
    return leader;
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
    return leader.create(request);
  }

  @Override
  public Group open(String name) {
    return leader.open(name);
  }

  @Override
  public void delete(String name) {
    leader.delete(name);
  }

  @Override
  public void delete(GroupInfo group) {
    leader.delete(group);
  }

  @Override
  public void giveUp(GroupInfo group) {
    leader.giveUp(group);
  }

  @Override
  public List<LogEntry> pending(String name, long after) {
    return leader.pending(name, after);
  }

  @Override
  public List<Row> membersOf(String name) {
    return leader.membersOf(name);
  }

  @Override
  public <T> Optional<T> latest(Row row, Column<T> column) {
    return leader.latest(row, column);
  }

  @Override
  public void handOver(String name, String node) {
    leader.handOver(name, node);
  }

  @Override
  public int count() {
    return leader.count();
  }

  @Override
  public void close() {
    leader.close();
  }
}
