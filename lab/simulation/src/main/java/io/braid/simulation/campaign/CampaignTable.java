package io.braid.simulation.campaign;

import io.braid.simulation.cluster.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** The results of a campaign, as tables of Markdown. The tables are readable in a terminal too. */
public final class CampaignTable {
  private final List<Tally> tallies;
  private final List<List<String>> rows = new ArrayList<>();

  private CampaignTable(Campaign campaign) {
    this.tallies = List.copyOf(campaign.tallies());
  }

  /** Returns both tables: the work that was done, and the faults that struck during it. */
  public static String of(Campaign campaign) {
    CampaignTable done = new CampaignTable(campaign);
    done.figures();
    CampaignTable faults = new CampaignTable(campaign);
    faults.faults();
    return done.render() + "\n" + faults.render();
  }

  private void figures() {
    header();
    row("runs", tally -> number(tally.runs()));
    row("simulated hours under load", tally -> hours(tally.load().toMillis()));
    row("simulated hours, coming to rest included", tally -> hours(tally.simulated().toMillis()));
    row("tablets a table, at least", tally -> number(tally.leastTablets()));
    row("transactions and snapshots", tally -> number(tally.transactions()));
    row("commits", tally -> number(tally.operation("commits")));
    row("of these in one phase", tally -> number(tally.operation("one-phase-commits")));
    row("conflicts", tally -> number(tally.operation("conflicts")));
    row("faults", tally -> number(tally.faultCount()));
    row("violations", tally -> number(tally.failures().size()));
  }

  private void faults() {
    header();
    for (Fault fault : Fault.values()) {
      row(fault.text(), tally -> number(tally.faults().getOrDefault(fault, 0L)));
    }
  }

  private void header() {
    List<String> header = new ArrayList<>(List.of(""));
    tallies.forEach(tally -> header.add(tally.title()));
    rows.add(header);
  }

  private void row(String name, Function<Tally, String> value) {
    List<String> row = new ArrayList<>(List.of(name));
    tallies.forEach(tally -> row.add(value.apply(tally)));
    rows.add(row);
  }

  private static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  private static String hours(long millis) {
    return String.format(Locale.ROOT, "%.2f", millis / 3_600_000.0);
  }

  private String render() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < rows.size(); i++) {
      line(rows.get(i), text);
      if (i == 0) {
        text.append("|---|").append("---:|".repeat(rows.get(0).size() - 1)).append('\n');
      }
    }
    return text.toString();
  }

  private void line(List<String> cells, StringBuilder text) {
    for (int i = 0; i < cells.size(); i++) {
      int column = i;
      int width = rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(1);
      String format = i == 0 ? "| %-" : " %";
      text.append(String.format(Locale.ROOT, format + width + "s |", cells.get(i)));
    }
    text.append('\n');
  }
}
