package io.braid.groups.log;

import io.braid.core.runtime.Seams;
import io.braid.groups.rows.Reign;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.LongSupplier;

/** A log in files of a folder: several lanes, so that several threads write at once. */
abstract class SegmentedLog implements GroupLog {
  private final List<Lane> lanes = new ArrayList<>();

  SegmentedLog(LogFolder folder, int count, boolean synced, long segmentBytes, Seams seams) {
    for (int i = 0; i < count; i++) {
      lanes.add(new Lane(folder, i, synced, segmentBytes, seams));
    }
  }

  @Override
  public final Ticket append(LogEntry entry, Reign reign) {
    return commits(entry.group()).append(entry, reign);
  }

  /** A group always logs in the same lane. */
  private GroupCommit commits(long group) {
    int lane = (int) Math.floorMod((group * 0x9E3779B97F4A7C15L) >>> 32, (long) lanes.size());
    return lanes.get(lane).commits();
  }

  @Override
  public final void force(Ticket ticket) {
    GroupCommit.force(ticket);
  }

  @Override
  public final boolean isBroken() {
    return lanes.stream().anyMatch(lane -> lane.commits().isBroken());
  }

  @Override
  public void fence(long group, Reign reign) {
    commits(group).fence(group, reign.epoch());
  }

  /** How many groups lower epochs are kept out of. */
  final int fences() {
    return lanes.stream().mapToInt(lane -> lane.commits().fences()).sum();
  }

  @Override
  public final void left(long group) {
    commits(group).left(group);
  }

  /**
   * Keeps a file of an earlier life. A file of a lane that no longer exists goes to the first lane.
   */
  final void keep(Segments.SegmentFile file, List<LogEntry> entries) {
    Lane lane = lanes.get(file.lane() < lanes.size() ? file.lane() : 0);
    lane.keep(file.name(), file.number(), entries);
  }

  @Override
  public void shipped(long group, long position) {
    lanes.forEach(lane -> lane.shipped(group, position));
  }

  @Override
  public void forget(Collection<Long> groups, LongSupplier now) {
    for (long group : groups) {
      left(group);
      shipped(group, Long.MAX_VALUE);
    }
  }

  /** Whether entries are left that have to be shipped. */
  final boolean isNeeded() {
    return lanes.stream().anyMatch(Lane::isNeeded);
  }

  @Override
  public void close() {
    lanes.forEach(Lane::close);
  }
}
