package io.braid.lab.campaign;

import io.braid.simulation.SimulationReport;
import io.braid.simulation.campaign.Campaign;
import io.braid.simulation.campaign.OnceFailed;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The results of a campaign so far, over all sittings. */
final class CampaignResult implements LogEntries {
  private static final int LONGEST_SYMPTOM = 160;

  /** The results of the drills of one part. */
  static final class Drills {
    private long count;
    private long failed;
    private double seconds;
    private final Map<String, Long> counts = new LinkedHashMap<>();

    long count() {
      return count;
    }

    long failed() {
      return failed;
    }

    double seconds() {
      return seconds;
    }

    /** Returns the counts of the commands, by their own names. */
    Map<String, Long> counts() {
      return counts;
    }
  }

  private final Campaign simulated;
  private final Map<RealPart, Drills> real = new EnumMap<>(RealPart.class);
  private final List<Sitting> sittings = new ArrayList<>();
  private final Map<String, List<String>> symptoms = new LinkedHashMap<>();
  private final List<String> failedLines = new ArrayList<>();

  /**
   * @param simulated gets the simulated runs
   */
  CampaignResult(Campaign simulated) {
    this.simulated = simulated;
  }

  /** Takes in a simulated run of an earlier sitting. */
  @Override
  public void add(SimulationReport report) {
    simulated.add(report);
    heard(report);
  }

  /** Takes in a simulated run that {@link #simulated} has already. */
  void heard(SimulationReport report) {
    String failure = report.failure();
    if (failure != null) {
      failed(report.options().replay(), failure);
      failedLines.add(OnceFailed.line(report.options().replay(), failure));
    }
  }

  @Override
  public void add(RealRun run) {
    Drills drills = real.computeIfAbsent(run.part(), part -> new Drills());
    drills.count++;
    drills.seconds += run.seconds();
    run.counts().forEach((what, count) -> drills.counts.merge(what, count, Long::sum));
    String failure = run.failure();
    if (failure != null) {
      drills.failed++;
      failed(run.replay(), failure);
      failedLines.add("# " + OnceFailed.line(run.replay(), failure));
    }
  }

  @Override
  public void add(Sitting sitting) {
    sittings.add(sitting);
  }

  private void failed(String replay, String failure) {
    symptoms.computeIfAbsent(symptom(failure), key -> new ArrayList<>()).add(replay);
  }

  /** The first line of what was wrong, without what differs from run to run. */
  private static String symptom(String failure) {
    return firstLine(failure).replaceAll("[0-9]+", "N");
  }

  /** The first line of what was wrong, cut where it is long. */
  static String firstLine(String failure) {
    String first = failure.lines().findFirst().orElse("");
    return first.length() <= LONGEST_SYMPTOM ? first : first.substring(0, LONGEST_SYMPTOM) + "…";
  }

  Campaign simulated() {
    return simulated;
  }

  Map<RealPart, Drills> real() {
    return real;
  }

  List<Sitting> sittings() {
    return sittings;
  }

  /**
   * How each symptom is replayed; most often one cause has one symptom, but that is not certain.
   */
  Map<String, List<String>> symptoms() {
    return symptoms;
  }

  /** How many runs and drills failed. */
  long failures() {
    return symptoms.values().stream().mapToLong(List::size).sum();
  }

  /** A line for each run that failed, as {@link OnceFailed} reads them; drills are remarks. */
  List<String> failedLines() {
    return failedLines;
  }
}
