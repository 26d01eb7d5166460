package io.braid.groups;

import io.braid.core.runtime.Seams;
import io.braid.groups.rows.GroupRecord;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Reports what this process knows of groups. For groups that it leads, it knows their progress; for
 * all others, their records. Changes nothing.
 */
final class KnownGroups {
  private final Records records;
  private final LedGroups led;
  private final Troubles troubles;
  private final Seams seams;

  KnownGroups(Records records, LedGroups led, Troubles troubles, Seams seams) {
    this.records = records;
    this.led = led;
    this.troubles = troubles;
    this.seams = seams;
  }

  /** All groups in the order of their names. */
  List<GroupInfo> all() {
    return records.all().stream()
        .map(this::info)
        .sorted(Comparator.comparing(GroupInfo::name))
        .toList();
  }

  List<GroupInfo> led() {
    return led.all().stream().map(this::info).toList();
  }

  Optional<GroupInfo> find(String name) {
    return records.find(name).map(this::info);
  }

  private GroupInfo info(GroupRecord record) {
    LiveGroup here = led.named(record.name());
    return here == null
        ? GroupInfo.of(record, troubles.of(record.number()).orElse(""))
        : info(here);
  }

  GroupInfo info(LiveGroup group) {
    return GroupInfo.of(
        group.record(),
        usedMillis(group),
        group.position(),
        group.unshipped(),
        group.clients(),
        troubles.of(group.record().number()).orElse(""));
  }

  /** When a group was last used, by the clock on the wall. */
  long usedMillis(LiveGroup group) {
    long idleMillis = (seams.nanoTime() - group.usedNanos()) / 1_000_000;
    return seams.wallMillis() - idleMillis;
  }

  /** The liveness token of the process that leads a group. */
  Optional<String> ownerOf(String name) {
    return records.find(name).map(GroupRecord::owner);
  }

  /** Why a group cannot be taken up that this process should lead. */
  Optional<String> troubles(String name) {
    return records.find(name).flatMap(record -> troubles.of(record.number()));
  }

  /** Returns the reason why a group that is requested here is not led here. */
  String whyNotHere(String name) {
    Optional<String> trouble = troubles(name);
    if (trouble.isPresent()) {
      return trouble.get();
    }
    return records.find(name).isPresent()
        ? "is led by another process, or being deleted: try again there, or later"
        : "does not exist";
  }

  /** The groups with rows in a table. */
  List<String> withRowsIn(String table) {
    return records.all().stream()
        .map(GroupRecord::name)
        .filter(name -> records.members(name).stream().anyMatch(row -> row.table().equals(table)))
        .toList();
  }
}
