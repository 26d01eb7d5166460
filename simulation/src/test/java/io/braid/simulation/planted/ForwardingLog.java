package io.braid.simulation.planted;

import io.braid.groups.log.GroupLog;
import io.braid.groups.log.LogEntry;
import java.util.List;
import java.util.Set;

/** A log of groups as it is; what forgets something begins with it. */
abstract class ForwardingLog implements GroupLog {
  final GroupLog log;

  ForwardingLog(GroupLog log) {
    this.log = log;
  }

  @Override
  public Ticket append(LogEntry entry, long epoch) {
    return log.append(entry, epoch);
  }

  @Override
  public void force(Ticket ticket) {
    log.force(ticket);
  }

  @Override
  public boolean canRead(String other) {
    return log.canRead(other);
  }

  @Override
  public void fence(long group, long epoch) {
    log.fence(group, epoch);
  }

  @Override
  public List<LogEntry> read(long group, long after) {
    return log.read(group, after);
  }

  @Override
  public Set<Long> groups() {
    return log.groups();
  }

  @Override
  public void shipped(long group, long position) {
    log.shipped(group, position);
  }

  @Override
  public void forget(long group) {
    log.forget(group);
  }

  @Override
  public String describe() {
    return log.describe();
  }

  @Override
  public void close() {
    log.close();
  }
}
