package io.braid.simulation.planted;

import io.braid.groups.log.GroupLog;
import io.braid.groups.log.LogEntry;
import io.braid.groups.rows.Reign;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

/** A log of groups as it is; what forgets something begins with it. */
abstract class ForwardingLog implements GroupLog {
  final GroupLog log;

  ForwardingLog(GroupLog log) {
    this.log = log;
  }

  @Override
  public Ticket append(LogEntry entry, Reign reign) {
    return log.append(entry, reign);
  }

  @Override
  public void force(Ticket ticket) {
    log.force(ticket);
  }

  @Override
  public boolean isBroken() {
    return log.isBroken();
  }

  @Override
  public boolean canRead(String other) {
    return log.canRead(other);
  }

  @Override
  public void fence(long group, Reign reign) {
    log.fence(group, reign);
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
  public void left(long group) {
    log.left(group);
  }

  @Override
  public void shipped(long group, long position) {
    log.shipped(group, position);
  }

  @Override
  public void forget(Collection<Long> groups, LongSupplier now) {
    log.forget(groups, now);
  }

  @Override
  public void supersede(String earlier) {
    log.supersede(earlier);
  }

  @Override
  public void sweep(Progress progress) {
    log.sweep(progress);
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
