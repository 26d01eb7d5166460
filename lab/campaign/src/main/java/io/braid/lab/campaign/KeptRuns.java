package io.braid.lab.campaign;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The results of one campaign on one commit of the sources, as kept beside them.
 *
 * @param code the commit
 * @param begun when the first of its sittings began, in UTC
 * @param drills the counts of drills of real processes, by part
 * @param failures what was wrong with each run that failed, by the command that replays it
 */
record KeptRuns(
    String code,
    String begun,
    String java,
    List<KeptTally> tallies,
    Map<String, Map<String, Long>> drills,
    Map<String, String> failures) {

  KeptRuns {
    tallies = List.copyOf(tallies);
    drills = new TreeMap<>(drills);
    failures = new LinkedHashMap<>(failures);
  }

  /** Returns the name of its file. The names sort by time. */
  String fileName() {
    return begun.replaceAll("[^0-9TZ]", "") + "-" + code.replaceAll("[^0-9A-Za-z.-]", "") + ".json";
  }

  long runs() {
    return tallies.stream().mapToLong(KeptTally::runs).sum();
  }

  double hours() {
    return tallies.stream().mapToDouble(KeptTally::hours).sum();
  }

  long steps() {
    return tallies.stream().mapToLong(KeptTally::steps).sum();
  }

  /** The command of each run. */
  Stream<String> replays() {
    return tallies.stream().flatMap(KeptTally::replays);
  }
}
