package io.braid.benchmarks.groups;

import io.braid.benchmarks.Report;
import io.braid.core.data.Row;
import io.braid.groups.Group;
import io.braid.groups.GroupRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Figures 9 and 10: groups are created and then deleted, without operations in between. */
final class Creations {
  private final Report report;
  private final GroupsBed bed;
  private final Players players;
  private final GroupsPlan plan;

  Creations(Report report, GroupsBed bed, Players players, GroupsPlan plan) {
    this.report = report;
    this.bed = bed;
    this.players = players;
    this.plan = plan;
  }

  /** The course of one case with one design. */
  private static final class Course {
    private final Samples samples = new Samples();
    private final List<Double> medians = new ArrayList<>();
    private long messages;
    private long packets;
  }

  void run() {
    for (int size : plan.sizes()) {
      for (boolean contiguous : new boolean[] {true, false}) {
        for (int clients : plan.clientsFor(size)) {
          compare(size, contiguous, clients);
        }
      }
    }
  }

  private void compare(int size, boolean contiguous, int clients) {
    Map<Design, Course> courses = new LinkedHashMap<>();
    for (int round = 0; round < plan.rounds; round++) {
      for (Design design : Design.values()) {
        slice(
            design,
            courses.computeIfAbsent(design, d -> new Course()),
            size,
            contiguous,
            clients,
            round);
      }
    }
    Course base = courses.get(Design.CLIENT_BASED);
    courses.forEach(
        (design, course) -> {
          Map<String, Object> params = new LinkedHashMap<>();
          params.put("store", bed.name());
          params.put("keys", size);
          params.put("choice", contiguous ? "contiguous" : "random");
          params.put("clients", clients);
          params.put("design", design.word());
          say(params, course, design == Design.CLIENT_BASED ? null : base);
        });
    if (size == GroupsPlan.MEMBERS && clients == 1 && !contiguous && base != null) {
      report.atMost("median creation of 50 random keys, ms", 20, base.samples.percentile(0.5));
    }
  }

  private void slice(
      Design design, Course course, int size, boolean contiguous, int clients, int round) {
    try (Design.Entry entry = design.enter(bed)) {
      long messages = design.messages(bed);
      long packets = design.packets(bed);
      Samples samples =
          Clients.run(
              clients,
              plan.seconds,
              round,
              (into, random) -> {
                List<Row> keys = players.choose(GroupsPlan.about(size, random), contiguous, random);
                create(entry, keys, into);
              });
      course.messages += design.messages(bed) - messages;
      course.packets += design.packets(bed) - packets;
      course.samples.merge(samples);
      course.medians.add(samples.percentile(0.5));
    }
  }

  private static void create(Design.Entry entry, List<Row> keys, Samples into) {
    long begin = System.nanoTime();
    Group group = entry.groups().create(GroupRequest.of(keys).bestEffort());
    into.add(System.nanoTime() - begin);
    group.close();
  }

  private void say(Map<String, Object> params, Course course, @Nullable Course base) {
    Samples samples = course.samples;
    String vs = base == null ? "" : Design.CLIENT_BASED.word();
    double ratio = base == null ? 0 : GroupsPlan.medianRatio(course.medians, base.medians);
    report.figure("create, median", params, samples.percentile(0.5), "ms", vs, ratio);
    report.figure("create, 95th percentile", params, samples.percentile(0.95), "ms", "", 0);
    report.figure(
        "create and delete",
        params,
        samples.perSecond(),
        "groups/s",
        vs,
        base == null ? 0 : samples.perSecond() / base.samples.perSecond());
    if (course.messages > 0) {
      double groups = samples.count();
      report.figure("create and delete, messages", params, course.messages / groups, "", "", 0);
      report.figure("create and delete, packets", params, course.packets / groups, "", "", 0);
    }
  }
}
