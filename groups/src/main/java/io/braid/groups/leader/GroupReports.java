package io.braid.groups.leader;

import io.braid.core.runtime.Seams;
import io.braid.groups.GroupInfo;
import io.braid.groups.rows.GroupRecord;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Reports what this process knows of groups. For groups that it leads, it knows their progress; for
 * all others, their records. Changes nothing.
 */
final class GroupReports {
  private final Records records;
  private final LedGroups led;
  private final FailedGroups failedGroups;
  private final Seams seams;

  GroupReports(Records records, LedGroups led, FailedGroups failedGroups, Seams seams) {
    this.records = records;
    this.led = led;
    this.failedGroups = failedGroups;
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
    LedGroup here = led.named(record.name());
    return here == null ? stored(record) : info(here);
  }

  /** Returns the information that the store has about a group. */
  private GroupInfo stored(GroupRecord record) {
    return new GroupInfo(
        record.name(),
        record.number(),
        record.epoch(),
        record.leader(),
        record.state(),
        record.members(),
        false,
        record.owner(),
        "",
        false,
        record.createdMillis(),
        record.usedMillis(),
        0,
        0,
        0,
        failedGroups.of(record.number()).orElse(""));
  }

  /** Returns the information that the leader of a group has about it. */
  GroupInfo info(LedGroup group) {
    GroupRecord record = group.record();
    return new GroupInfo(
        record.name(),
        record.number(),
        record.epoch(),
        record.leader(),
        record.state(),
        record.members(),
        true,
        record.owner(),
        "",
        true,
        record.createdMillis(),
        usedMillis(group),
        group.position(),
        group.unshipped(),
        group.clients(),
        failedGroups.of(record.number()).orElse(""));
  }

  /** When a group was last used, by the clock on the wall. */
  long usedMillis(LedGroup group) {
    long idleMillis = (seams.nanoTime() - group.usedNanos()) / 1_000_000;
    return seams.wallMillis() - idleMillis;
  }

  /** The liveness token of the process that leads a group. */
  Optional<String> ownerOf(String name) {
    return records.find(name).map(GroupRecord::owner);
  }

  /** Why a group cannot be taken up that this process should lead. */
  Optional<String> troubles(String name) {
    return records.find(name).flatMap(record -> failedGroups.of(record.number()));
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
