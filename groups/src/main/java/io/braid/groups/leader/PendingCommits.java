package io.braid.groups.leader;

import io.braid.groups.GroupException;
import io.braid.groups.GroupGoneException;
import io.braid.groups.log.GroupLog;
import io.braid.groups.log.LogEntry;
import io.braid.groups.rows.GroupRecord;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the commits of groups that are not in the store yet, for people to look at. Changes
 * nothing.
 */
final class PendingCommits {
  /** The number of bytes that are returned at a time, approximately. */
  private static final long MOST = 4 << 20;

  private final Records records;
  private final LedGroups led;
  private final GroupLog log;
  private final Shipper shipper;

  PendingCommits(Records records, LedGroups led, GroupLog log, Shipper shipper) {
    this.records = records;
    this.led = led;
    this.log = log;
    this.shipper = shipper;
  }

  List<LogEntry> after(String name, long position) {
    LedGroup here = led.named(name);
    List<LogEntry> some = new ArrayList<>();
    long bytes = 0;
    for (LogEntry each : here == null ? logged(name) : here.pending()) {
      if (each.position() > position) {
        bytes += each.size();
        if (!some.isEmpty() && bytes > MOST) {
          break;
        }
        some.add(each);
      }
    }
    return some;
  }

  private List<LogEntry> logged(String name) {
    GroupRecord record =
        records.find(name).orElseThrow(() -> new GroupGoneException(name, "does not exist"));
    if (!log.canRead(record.log())) {
      throw new GroupException(
          "Group '" + name + "' has its log in another process: ask there.", null);
    }
    return log.read(record.number(), shipper.positionOf(record));
  }
}
