package io.braid.groups.log;

import io.braid.core.runtime.Seams;
import io.braid.groups.rows.Reign;
import java.util.ArrayList;
import java.util.List;

/** The lanes of a log in files; a group always logs in the same one. */
final class Lanes {
  private final List<Lane> all = new ArrayList<>();

  Lanes(LogFolder folder, int count, boolean synced, long segmentBytes, Seams seams) {
    for (int i = 0; i < count; i++) {
      all.add(new Lane(folder, i, synced, segmentBytes, seams));
    }
  }

  GroupLog.Ticket append(LogEntry entry, Reign reign) {
    int lane = of(entry.group());
    return all.get(lane).commits().append(lane, entry, reign);
  }

  private int of(long group) {
    return (int) Math.floorMod((group * 0x9E3779B97F4A7C15L) >>> 32, (long) all.size());
  }

  void force(GroupLog.Ticket ticket) {
    all.get(ticket.lane()).commits().force(ticket);
  }

  /** When it returns, no entry of the group and of a lower epoch is written any more. */
  void fence(long group, long epoch) {
    all.get(of(group)).commits().fence(group, epoch);
  }

  /** Nothing is appended to the group any more. */
  void left(long group) {
    all.get(of(group)).commits().left(group);
  }

  /** How many groups lower epochs are kept out of. */
  int fences() {
    return all.stream().mapToInt(lane -> lane.commits().fences()).sum();
  }

  boolean isBroken() {
    return all.stream().anyMatch(lane -> lane.commits().isBroken());
  }

  /**
   * Keeps a file of an earlier life. A file of a lane that no longer exists goes to the first lane.
   */
  void keep(Segments.SegmentFile file, List<LogEntry> entries) {
    all.get(file.lane() < all.size() ? file.lane() : 0).keep(file.name(), file.number(), entries);
  }

  void shipped(long group, long position) {
    all.forEach(lane -> lane.shipped(group, position));
  }

  void forget(long group) {
    left(group);
    shipped(group, Long.MAX_VALUE);
  }

  /** Whether entries are left that have to be shipped. */
  boolean isNeeded() {
    return all.stream().anyMatch(Lane::isNeeded);
  }

  void close() {
    all.forEach(Lane::close);
  }
}
