package io.braid.lab.campaign;

import io.braid.lab.campaign.CampaignResult.Drills;
import io.braid.simulation.campaign.Campaign;
import io.braid.simulation.campaign.Tally;
import io.braid.simulation.cluster.Fault;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A summary of a campaign, as JSON and as a page. */
final class CampaignSummary {
  private final CampaignResult result;
  private final Campaign simulated;

  CampaignSummary(CampaignResult result) {
    this.result = result;
    this.simulated = result.simulated();
  }

  private double hours() {
    return simulated.load().toMillis() / 3_600_000.0;
  }

  private Map<Fault, Long> faults() {
    Map<Fault, Long> all = new EnumMap<>(Fault.class);
    for (Fault fault : Fault.values()) {
      all.put(fault, simulated.faults().getOrDefault(fault, 0L));
    }
    return all;
  }

  private long faultsInAll() {
    return faults().values().stream().mapToLong(Long::longValue).sum();
  }

  private long transactions() {
    return simulated.tallies().stream().mapToLong(Tally::transactions).sum();
  }

  /** How often a kind of thing was counted in drills of a part. */
  private long counted(RealPart part, String... what) {
    Drills drills = result.real().get(part);
    long sum = 0;
    for (String each : what) {
      sum += drills == null ? 0 : drills.counts().getOrDefault(each, 0L);
    }
    return sum;
  }

  /** For JSON. */
  Map<String, Object> toObject() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("hours", Math.round(hours() * 1000) / 1000.0);
    all.put("failures", result.failures());
    Map<String, Object> symptoms = new LinkedHashMap<>(result.symptoms());
    all.put("symptoms", symptoms);
    all.put("simulated", simulated.toObject());
    Map<String, Long> faults = new LinkedHashMap<>();
    faults().forEach((fault, count) -> faults.put(fault.text(), count));
    all.put("faults", faults);
    Map<String, Object> real = new LinkedHashMap<>();
    result
        .real()
        .forEach(
            (part, drills) -> {
              Map<String, Object> one = new LinkedHashMap<>(drills.counts());
              one.put("drills", drills.count());
              one.put("failed", drills.failed());
              one.put("real_s", Math.round(drills.seconds()));
              real.put(part.name(), one);
            });
    all.put("real", real);
    all.put("sittings", result.sittings().stream().map(Sitting::toObject).toList());
    return all;
  }

  /** A page of Markdown; it reads well in a terminal too. */
  String page() {
    StringBuilder page = new StringBuilder();
    page.append(
        "# Campaign\n\nWritten by `./braid campaign`; `runs.jsonl` beside it has every run.\n");
    page.append("What stands here is of all sittings together.\n\n");
    table(page, List.of("", ""), overall());
    page.append("\n## Simulated\n\n");
    scenarios(page);
    page.append("\n## Faults, simulated\n\n");
    List<List<String>> faults = new ArrayList<>();
    faults().forEach((fault, count) -> faults.add(List.of(fault.text(), number(count))));
    table(page, List.of("fault", "times"), faults);
    if (!result.real().isEmpty()) {
      page.append("\n## Real processes\n\n");
      drills(page);
    }
    page.append("\n## What failed\n\n");
    failures(page);
    page.append("\n## Sittings\n\n");
    List<List<String>> sittings = new ArrayList<>();
    for (Sitting each : result.sittings()) {
      sittings.add(List.of(each.begun(), each.code(), each.java(), String.valueOf(each.cores())));
    }
    table(page, List.of("begun", "code", "Java", "cores"), sittings);
    return page.toString();
  }

  private List<List<String>> overall() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("simulated hours under load", String.format(Locale.ROOT, "%.2f", hours())));
    rows.add(List.of("simulated runs", number(simulated.runs())));
    rows.add(List.of("scheduled steps", number(simulated.steps())));
    rows.add(List.of("transactions and snapshots, judged", number(transactions())));
    rows.add(List.of("commits", number(simulated.operations("commits"))));
    rows.add(
        List.of(
            "times cells or owners were held against what must be", number(simulated.checks())));
    rows.add(List.of("simulated faults", number(faultsInAll())));
    Map.Entry<Fault, Long> rarest =
        faults().entrySet().stream().min(Map.Entry.comparingByValue()).orElseThrow();
    rows.add(List.of("the rarest of them: " + rarest.getKey().text(), number(rarest.getValue())));
    rows.add(
        List.of(
            "processes killed (SIGKILL)",
            number(
                counted(RealPart.killed, "kills")
                    + counted(
                        RealPart.cluster, "kill_server", "kill_client", "restart_zookeeper"))));
    rows.add(
        List.of(
            "transactions on real stores, judged",
            number(
                counted(RealPart.killed, "ok", "fail", "info")
                    + counted(RealPart.cluster, "ok", "fail", "info"))));
    rows.add(List.of("frames sent to listeners", number(counted(RealPart.fuzz, "frames"))));
    rows.add(List.of("runs that failed", number(result.failures())));
    rows.add(List.of("different symptoms of these", number(result.symptoms().size())));
    return rows;
  }

  private void scenarios(StringBuilder page) {
    List<List<String>> rows = new ArrayList<>();
    for (Tally tally : simulated.tallies()) {
      rows.add(
          List.of(
              tally.title(),
              number(tally.runs()),
              String.format(Locale.ROOT, "%.2f", tally.load().toMillis() / 3_600_000.0),
              number(tally.steps()),
              number(tally.transactions()),
              number(tally.operation("commits")),
              number(tally.operation("one-phase-commits")),
              number(tally.checks()),
              number(tally.faultCount()),
              number(tally.failures().size())));
    }
    table(
        page,
        List.of(
            "scenario",
            "runs",
            "hours under load",
            "steps",
            "transactions",
            "commits",
            "in one phase",
            "checks",
            "faults",
            "failed"),
        rows);
  }

  private void drills(StringBuilder page) {
    List<List<String>> rows = new ArrayList<>();
    result
        .real()
        .forEach(
            (part, drills) -> {
              StringBuilder counts = new StringBuilder();
              drills
                  .counts()
                  .forEach(
                      (what, count) ->
                          counts
                              .append(counts.length() == 0 ? "" : ", ")
                              .append(what.replace('_', ' '))
                              .append(' ')
                              .append(number(count)));
              rows.add(
                  List.of(
                      part.name(),
                      number(drills.count()),
                      number(drills.failed()),
                      number(Math.round(drills.seconds())),
                      counts.toString()));
            });
    table(page, List.of("part", "drills", "failed", "seconds", "counted"), rows);
  }

  private void failures(StringBuilder page) {
    if (result.symptoms().isEmpty()) {
      page.append("Nothing.\n");
    }
    result
        .symptoms()
        .forEach(
            (symptom, replays) -> {
              page.append("- ").append(symptom).append(", ").append(replays.size()).append("×\n");
              replays.forEach(each -> page.append("  - `").append(each).append("`\n"));
            });
  }

  static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  static void table(StringBuilder page, List<String> header, List<List<String>> rows) {
    page.append("| ").append(String.join(" | ", header)).append(" |\n");
    page.append("|---|").append("---:|".repeat(header.size() - 1)).append('\n');
    rows.forEach(row -> page.append("| ").append(String.join(" | ", row)).append(" |\n"));
  }
}
