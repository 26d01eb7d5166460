package io.braid.lab.campaign;

import io.braid.simulation.SimulationReport;
import io.braid.simulation.campaign.Campaign;
import io.braid.simulation.campaign.Tally;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Sorts what is in the log of a campaign by the commit that it was run on. */
final class RunsByCode implements LogEntries {
  private final Set<String> counted;
  private final Map<String, OfCode> all = new LinkedHashMap<>();
  private @Nullable OfCode now;
  private long leftOut;

  /**
   * @param counted the commands of runs that are counted elsewhere, and left out here
   */
  RunsByCode(Set<String> counted) {
    this.counted = counted;
  }

  @Override
  public void add(Sitting sitting) {
    now = all.computeIfAbsent(sitting.code(), code -> new OfCode(sitting));
  }

  @Override
  public void add(SimulationReport run) {
    if (counted.contains(run.options().replay())) {
      leftOut++;
    } else {
      now().add(run);
    }
  }

  @Override
  public void add(RealRun drill) {
    now().add(drill);
  }

  private OfCode now() {
    OfCode code = now;
    if (code == null) {
      throw new IllegalArgumentException("A run before any sitting.");
    }
    return code;
  }

  /** How many runs are counted elsewhere. */
  long leftOut() {
    return leftOut;
  }

  /** Returns the kept runs of each commit. */
  List<KeptRuns> kept() {
    return all.values().stream().filter(code -> !code.isEmpty()).map(OfCode::kept).toList();
  }

  /** The runs on one commit. */
  private static final class OfCode {
    private final Sitting first;
    private final Map<Long, Campaign> byDuration = new TreeMap<>();
    private final Map<String, SortedSet<Long>> seeds = new LinkedHashMap<>();
    private final Map<String, Map<String, Long>> drills = new TreeMap<>();
    private final Map<String, String> failures = new LinkedHashMap<>();

    OfCode(Sitting first) {
      this.first = first;
    }

    boolean isEmpty() {
      return byDuration.isEmpty() && drills.isEmpty();
    }

    private static String kind(String scenario, boolean onePhase, long seconds) {
      return scenario + "/" + onePhase + "/" + seconds;
    }

    void add(SimulationReport run) {
      long seconds = run.options().duration().toSeconds();
      byDuration.computeIfAbsent(seconds, s -> new Campaign()).add(run);
      seeds
          .computeIfAbsent(
              kind(run.options().scenario(), run.options().onePhase(), seconds),
              kind -> new TreeSet<>())
          .add(run.options().seed());
      failed(run.options().replay(), run.failure());
    }

    void add(RealRun drill) {
      Map<String, Long> counts =
          drills.computeIfAbsent(drill.part().name(), part -> new LinkedHashMap<>());
      counts.merge("drills", 1L, Long::sum);
      drill.counts().forEach((what, count) -> counts.merge(what, count, Long::sum));
      failed(drill.replay(), drill.failure());
    }

    private void failed(String replay, @Nullable String failure) {
      if (failure != null) {
        failures.put(replay, CampaignResult.firstLine(failure));
      }
    }

    KeptRuns kept() {
      List<KeptTally> tallies = new ArrayList<>();
      byDuration.forEach(
          (seconds, campaign) -> {
            for (Tally tally : campaign.tallies()) {
              String kind = kind(tally.scenario(), tally.onePhase(), seconds);
              tallies.add(KeptTally.of(tally, seconds, seeds.getOrDefault(kind, new TreeSet<>())));
            }
          });
      return new KeptRuns(first.code(), first.begun(), first.java(), tallies, drills, failures);
    }
  }
}
