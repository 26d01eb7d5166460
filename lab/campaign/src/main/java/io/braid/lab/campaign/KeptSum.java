package io.braid.lab.campaign;

import static io.braid.lab.campaign.CampaignSummary.number;
import static io.braid.lab.campaign.CampaignSummary.table;

import io.braid.simulation.cluster.Fault;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/** The sum of campaigns that were run at different times, on different commits. */
final class KeptSum {
  private final List<KeptRuns> all;

  /**
   * @param all in the order of time; no run is in two of them
   */
  KeptSum(List<KeptRuns> all) {
    this.all = all;
  }

  private double hours() {
    return all.stream().mapToDouble(KeptRuns::hours).sum();
  }

  private long sum(ToLongFunction<KeptTally> what) {
    return all.stream().flatMap(kept -> kept.tallies().stream()).mapToLong(what).sum();
  }

  /** Returns how often each kind struck, including those that never did. */
  private Map<String, Long> faults() {
    Map<String, Long> sums = new LinkedHashMap<>();
    for (Fault fault : Fault.values()) {
      sums.put(fault.text(), 0L);
    }
    for (KeptRuns kept : all) {
      kept.tallies()
          .forEach(tally -> tally.faults().forEach((fault, n) -> sums.merge(fault, n, Long::sum)));
    }
    return sums;
  }

  private Map<String, Long> drills() {
    Map<String, Long> sums = new TreeMap<>();
    for (KeptRuns kept : all) {
      kept.drills()
          .forEach(
              (part, counts) ->
                  counts.forEach(
                      (what, n) -> sums.merge(part + ", " + what.replace('_', ' '), n, Long::sum)));
    }
    return sums;
  }

  private long failed() {
    return all.stream().mapToLong(kept -> kept.failures().size()).sum();
  }

  /** For JSON. */
  Map<String, Object> toObject() {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("commits", all.stream().map(KeptRuns::code).distinct().toList());
    object.put("hours", Math.round(hours() * 1000) / 1000.0);
    object.put("runs", sum(KeptTally::runs));
    object.put("steps", sum(KeptTally::steps));
    object.put("transactions", sum(KeptTally::transactions));
    object.put("checks", sum(KeptTally::checks));
    object.put("faults", faults());
    object.put("failures", failed());
    return object;
  }

  /** A page of Markdown. */
  String page() {
    StringBuilder page = new StringBuilder();
    page.append("# Campaigns, added up\n\n");
    page.append("Written by `./braid campaign keep`, from the files beside it. Each has what one ");
    page.append("campaign came to on one commit;\nno seed of a scenario is counted twice. What ");
    page.append("came of failed runs, [campaigns.md](../../campaigns.md) tells.\n\n");
    table(page, List.of("", ""), overall());
    page.append("\n## Commits\n\n");
    table(
        page,
        List.of("commit", "begun", "Java", "runs", "hours under load", "steps", "failed"),
        commits());
    page.append("\n## Faults, simulated\n\n");
    List<List<String>> faults = new ArrayList<>();
    faults().forEach((fault, count) -> faults.add(List.of(fault, number(count))));
    table(page, List.of("fault", "times"), faults);
    page.append("\n## Scenarios\n\n");
    table(
        page,
        List.of("scenario", "runs", "hours under load", "steps", "transactions", "checks"),
        scenarios());
    if (!drills().isEmpty()) {
      page.append("\n## Real processes\n\n");
      List<List<String>> drills = new ArrayList<>();
      drills().forEach((what, count) -> drills.add(List.of(what, number(count))));
      table(page, List.of("drills", "counted"), drills);
    }
    page.append("\n## What failed\n\n");
    failures(page);
    return page.toString();
  }

  private List<List<String>> overall() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("simulated hours under load", twoDigits(hours())));
    rows.add(List.of("simulated runs", number(sum(KeptTally::runs))));
    rows.add(List.of("scheduled steps", number(sum(KeptTally::steps))));
    rows.add(List.of("transactions and snapshots, judged", number(sum(KeptTally::transactions))));
    rows.add(
        List.of("times something was held against what must be", number(sum(KeptTally::checks))));
    Map<String, Long> faults = faults();
    rows.add(
        List.of(
            "simulated faults", number(faults.values().stream().mapToLong(Long::longValue).sum())));
    Map.Entry<String, Long> rarest =
        faults.entrySet().stream().min(Map.Entry.comparingByValue()).orElseThrow();
    rows.add(List.of("the rarest of them: " + rarest.getKey(), number(rarest.getValue())));
    rows.add(List.of("runs that failed", number(failed())));
    return rows;
  }

  private List<List<String>> commits() {
    List<List<String>> rows = new ArrayList<>();
    for (KeptRuns kept : all) {
      rows.add(
          List.of(
              kept.code(),
              kept.begun(),
              kept.java(),
              number(kept.runs()),
              twoDigits(kept.hours()),
              number(kept.steps()),
              number(kept.failures().size())));
    }
    return rows;
  }

  private List<List<String>> scenarios() {
    Map<String, List<KeptTally>> byScenario = new LinkedHashMap<>();
    for (KeptRuns kept : all) {
      for (KeptTally tally : kept.tallies()) {
        byScenario.computeIfAbsent(tally.scenario(), name -> new ArrayList<>()).add(tally);
      }
    }
    List<List<String>> rows = new ArrayList<>();
    byScenario.forEach(
        (scenario, tallies) ->
            rows.add(
                List.of(
                    scenario,
                    number(tallies.stream().mapToLong(KeptTally::runs).sum()),
                    twoDigits(tallies.stream().mapToDouble(KeptTally::hours).sum()),
                    number(tallies.stream().mapToLong(KeptTally::steps).sum()),
                    number(tallies.stream().mapToLong(KeptTally::transactions).sum()),
                    number(tallies.stream().mapToLong(KeptTally::checks).sum()))));
    return rows;
  }

  private void failures(StringBuilder page) {
    if (failed() == 0) {
      page.append("Nothing.\n");
    }
    for (KeptRuns kept : all) {
      kept.failures()
          .forEach(
              (replay, failure) ->
                  page.append("- `")
                      .append(replay)
                      .append("` on ")
                      .append(kept.code())
                      .append(": ")
                      .append(failure)
                      .append('\n'));
    }
  }

  private static String twoDigits(double value) {
    return String.format(Locale.ROOT, "%,.2f", value);
  }
}
