package io.braid.benchmarks.groups;

import io.braid.benchmarks.Report;
import io.braid.core.data.Bytes;
import io.braid.core.data.Row;
import io.braid.groups.Group;
import io.braid.groups.GroupRequest;
import io.braid.groups.GroupScript;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Figure 11: the time of an operation that reads and writes two members of a group of 50 keys. The
 * creation and the deletion of the group are divided among its operations. For comparison, the same
 * two rows are written blindly, into the raw store and through Braid's store; the faster of the two
 * counts. Transactions without a group are another comparison.
 */
final class GroupOperations {
  private static final String RAW = "raw";

  /** The number of operations on the same rows where there is no group. */
  private static final int MIDDLE = 50;

  private final Report report;
  private final GroupsBed bed;
  private final Players players;
  private final GroupsPlan plan;

  GroupOperations(Report report, GroupsBed bed, Players players, GroupsPlan plan) {
    this.report = report;
    this.bed = bed;
    this.players = players;
    this.plan = plan;
  }

  /** The course of a case. */
  private static final class Course {
    private final Samples samples = new Samples();
    private final List<Double> means = new ArrayList<>();
  }

  /** The work to measure. */
  private interface Slice {
    Samples run(int round);
  }

  void run() {
    for (double pause : plan.pauses()) {
      for (int clients : plan.clientsFor(GroupsPlan.MEMBERS)) {
        compare(clients, pause);
      }
    }
  }

  private void compare(int clients, double pause) {
    Map<Map<String, Object>, Slice> cases = new LinkedHashMap<>();
    cases.put(
        Map.of("case", "raw store, no guarantees"),
        round -> clients(clients, round, blind(bed::writeRaw, pause)));
    cases.put(
        Map.of("case", "Braid's store, no guarantees"),
        round ->
            clients(
                clients,
                round,
                blind((keys, value) -> players.writeBlind(bed, keys, value), pause)));
    cases.put(
        Map.of("case", "transactions without a group"),
        round -> clients(clients, round, transactions(pause)));
    for (Design design : Design.values()) {
      for (int length : plan.lengths()) {
        cases.put(
            Map.of("case", "in a group", "design", design.word(), "operations", length),
            round -> {
              try (Design.Entry entry = design.enter(bed)) {
                return clients(clients, round, inGroups(entry, length, pause));
              }
            });
      }
    }
    // A warm-up: otherwise the first case would pay for a cold machine, here and at the servers.
    cases.values().forEach(each -> each.run(plan.rounds));
    Map<Map<String, Object>, Course> courses = new LinkedHashMap<>();
    for (int round = 0; round < plan.rounds; round++) {
      for (Map.Entry<Map<String, Object>, Slice> each : cases.entrySet()) {
        Course course = courses.computeIfAbsent(each.getKey(), key -> new Course());
        Samples samples = each.getValue().run(round);
        course.samples.merge(samples);
        course.means.add(samples.mean());
      }
    }
    say(clients, pause, courses);
  }

  private static List<Double> faster(List<Double> some, List<Double> others) {
    List<Double> faster = new ArrayList<>();
    for (int i = 0; i < some.size(); i++) {
      faster.add(Math.min(some.get(i), others.get(i)));
    }
    return faster;
  }

  private Samples clients(int clients, int round, Clients.Work work) {
    GroupsBed.Servers before = bed.servers().orElse(GroupsBed.Servers.NOTHING);
    Samples samples = Clients.run(clients, plan.seconds, round, work);
    bed.servers().ifPresent(now -> samples.servers(now.since(before)));
    return samples;
  }

  private void say(int clients, double pause, Map<Map<String, Object>, Course> courses) {
    Iterator<Course> first = courses.values().iterator();
    List<Double> raw = faster(first.next().means, first.next().means);
    courses.forEach(
        (what, course) -> {
          Map<String, Object> params = new LinkedHashMap<>();
          params.put("store", bed.name());
          params.put("clients", clients);
          params.put("pause", pause);
          what.forEach(params::put);
          String name = String.valueOf(params.remove("case"));
          params.put("processor", Math.round(course.samples.processorMicros()) + " us");
          if (bed.servers().isPresent()) {
            params.put("servers", Math.round(course.samples.serverMicros()) + " us");
            params.put("calls", Math.round(course.samples.calls() * 100) / 100.0);
          }
          if (course.samples.hasLives()) {
            params.put("creation", milliseconds(course.samples.creation()));
            params.put("deletion", milliseconds(course.samples.deletion()));
          }
          double ratio = GroupsPlan.medianRatio(course.means, raw);
          report.figure(name, params, course.samples.mean(), "us/op", RAW, ratio);
          int operations = params.get("operations") instanceof Integer count ? count : 0;
          GroupsBed.Goal goal = bed.goal();
          if (operations == goal.operations()) {
            report.atMost(
                String.format(
                    Locale.ROOT,
                    "latency to raw, %d operations, %d clients, pause %.0f ms, %s",
                    operations,
                    clients,
                    pause,
                    what.get("design")),
                goal.ratio(),
                ratio);
          }
        });
  }

  private static String milliseconds(double value) {
    return String.format(Locale.ROOT, "%.2f ms", value);
  }

  /** Writes without any protocol. */
  private interface Blind {
    void write(List<Bytes> keys, Bytes value);
  }

  private Clients.Work blind(Blind store, double pause) {
    return (into, random) -> {
      List<Row> members = members(random);
      int operations = GroupsPlan.about(MIDDLE, random);
      long took = 0;
      for (int i = 0; i < operations; i++) {
        List<Bytes> keys = new ArrayList<>();
        two(members, random).forEach(row -> keys.add(row.key()));
        long begin = System.nanoTime();
        store.write(keys, Players.value(i));
        took += System.nanoTime() - begin;
        rest(pause, random);
      }
      into.add(took, operations);
    };
  }

  private Clients.Work transactions(double pause) {
    return (into, random) -> {
      List<Row> members = members(random);
      int operations = GroupsPlan.about(MIDDLE, random);
      long took = 0;
      for (int i = 0; i < operations; i++) {
        List<Row> rows = two(members, random);
        Bytes value = Players.value(i);
        long begin = System.nanoTime();
        bed.db()
            .run(
                tx -> {
                  rows.forEach(row -> tx.get(row, Players.VALUE));
                  rows.forEach(row -> tx.set(row, Players.VALUE, value));
                  return 0;
                });
        took += System.nanoTime() - begin;
        rest(pause, random);
      }
      into.add(took, operations);
    };
  }

  private Clients.Work inGroups(Design.Entry entry, int length, double pause) {
    return (into, random) -> {
      List<Row> keys = members(random);
      int operations = GroupsPlan.about(length, random);
      long begin = System.nanoTime();
      Group group = entry.groups().create(GroupRequest.of(keys).bestEffort());
      List<Row> members = List.copyOf(group.members());
      long creation = System.nanoTime() - begin;
      long took = 0;
      for (int i = 0; i < operations; i++) {
        List<Row> rows = two(members, random);
        begin = System.nanoTime();
        operate(group, rows, Players.value(i));
        took += System.nanoTime() - begin;
        rest(pause, random);
      }
      begin = System.nanoTime();
      group.close();
      long deletion = System.nanoTime() - begin;
      into.add(creation + took + deletion, operations);
      into.life(creation, deletion);
    };
  }

  /** Runs an operation, which is one message to the leader if the leader is in another process. */
  static void operate(Group group, List<Row> rows, Bytes value) {
    GroupScript script = GroupScript.begin();
    rows.forEach(row -> script.get(row, Players.VALUE));
    rows.forEach(row -> script.set(row, Players.VALUE, value));
    group.run(script);
  }

  private List<Row> members(SplittableRandom random) {
    return players.choose(GroupsPlan.about(GroupsPlan.MEMBERS, random), false, random);
  }

  static List<Row> two(List<Row> members, SplittableRandom random) {
    int one = random.nextInt(members.size());
    int other = random.nextInt(members.size());
    return one == other ? List.of(members.get(one)) : List.of(members.get(one), members.get(other));
  }

  /** Pauses for between delta and two deltas. */
  private static void rest(double pause, SplittableRandom random) {
    if (pause > 0) {
      LockSupport.parkNanos((long) (pause * 1e6 * (1 + random.nextDouble())));
    }
  }
}
