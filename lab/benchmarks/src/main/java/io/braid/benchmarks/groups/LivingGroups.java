package io.braid.benchmarks.groups;

import io.braid.benchmarks.Report;
import io.braid.core.data.Row;
import io.braid.groups.Group;
import io.braid.groups.GroupRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Many groups at one leader at once: the memory of each, and operations among them. */
final class LivingGroups {
  private final Report report;
  private final GroupsBed bed;
  private final Players players;
  private final GroupsPlan plan;

  LivingGroups(Report report, GroupsBed bed, Players players, GroupsPlan plan) {
    this.report = report;
    this.bed = bed;
    this.players = players;
    this.plan = plan;
  }

  void run() {
    warmUp();
    List<Group> groups = new ArrayList<>();
    long empty = heap();
    long begin = System.nanoTime();
    for (int i = 0; i < plan.live; i++) {
      groups.add(create(i));
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    long formed = heap();
    groups.forEach(LivingGroups::readAll);
    long cached = heap();
    Map<String, Object> params =
        Map.of("store", bed.name(), "groups", plan.live, "keys", GroupsPlan.MEMBERS);
    double all = plan.live;
    double keys = all * GroupsPlan.MEMBERS;
    report.figure("live groups, created one by one", params, all / seconds, "groups/s", "", 0);
    report.figure("memory of a live group", params, (formed - empty) / all, "bytes", "", 0);
    report.figure("memory of a key in it", params, (formed - empty) / keys, "bytes", "", 0);
    report.figure(
        "memory of a key whose value is cached", params, (cached - empty) / keys, "bytes", "", 0);
    Samples samples =
        Clients.run(
            1,
            plan.seconds,
            1,
            (into, random) -> operate(groups.get(random.nextInt(groups.size())), into, random));
    report.figure("operation among them, median", params, samples.percentile(0.5), "ms", "", 0);
    groups.forEach(Group::close);
  }

  /** Creates the one-time state first, so that the memory figures exclude it. */
  private void warmUp() {
    for (int i = 0; i < 20; i++) {
      try (Group group = create(i)) {
        readAll(group);
      }
    }
  }

  private Group create(int number) {
    List<Row> keys = new ArrayList<>();
    for (int k = 0; k < GroupsPlan.MEMBERS; k++) {
      keys.add(players.row(number * GroupsPlan.MEMBERS + k));
    }
    return bed.db().groups().create(GroupRequest.of(keys));
  }

  private static void readAll(Group group) {
    group.run(
        tx -> {
          group.members().forEach(row -> tx.get(row, Players.VALUE));
          return 0;
        });
  }

  private static void operate(Group group, Samples into, SplittableRandom random) {
    List<Row> rows = GroupOperations.two(List.copyOf(group.members()), random);
    long begin = System.nanoTime();
    GroupOperations.operate(group, rows, Players.value(1));
    into.add(System.nanoTime() - begin);
  }

  /** Returns the size of the live heap, in bytes. */
  private static long heap() {
    Runtime runtime = Runtime.getRuntime();
    for (int i = 0; i < 2; i++) {
      System.gc();
    }
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
