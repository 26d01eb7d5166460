package io.braid.benchmarks.groups;

import io.braid.benchmarks.Report;

/** All experiments, on one bed in one run. */
public final class GroupExperiments {
  /** Makes the bed to measure on. */
  public interface BedMaker {
    GroupsBed make(GroupsPlan plan) throws Exception;
  }

  private GroupExperiments() {}

  /** Runs the planned experiments and prints the results. */
  public static void run(GroupsPlan plan, BedMaker maker) throws Exception {
    run(plan, maker, new Report("groups", System.out));
  }

  static void run(GroupsPlan plan, BedMaker maker, Report report) throws Exception {
    plan.settle();
    try (GroupsBed bed = maker.make(plan)) {
      Players players = new Players(plan.rows, plan.tablets, plan.durability());
      players.load(bed);
      // This part runs first, while the heap is otherwise empty.
      if (plan.only.contains(GroupsPlan.Part.live)) {
        new LivingGroups(report, bed, players, plan).run();
      }
      if (plan.only.contains(GroupsPlan.Part.create)) {
        new Creations(report, bed, players, plan).run();
      }
      if (plan.only.contains(GroupsPlan.Part.operations)) {
        new GroupOperations(report, bed, players, plan).run();
      }
    }
    report.end();
  }
}
