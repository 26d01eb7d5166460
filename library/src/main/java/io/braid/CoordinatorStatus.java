package io.braid;

import java.util.List;
import java.util.Map;

/**
 * The process that gives out timestamps and decides commits of Omid's protocol, and the processes
 * that would take over. Returned by {@link Operations#coordinator}.
 *
 * @param inOffice whether this process is the coordinator now
 * @param answers whether the process in office was reached
 * @param processes all processes that share the database, each in words for people
 * @param figures what the process in office has done since it took office, by name; empty if that
 *     is not known
 */
public record CoordinatorStatus(
    boolean inOffice, boolean answers, List<String> processes, Map<String, Long> figures) {
  /** Of a database that one process has open. */
  static final CoordinatorStatus ALONE =
      new CoordinatorStatus(true, true, List.of("this process"), Map.of());

  public CoordinatorStatus {
    processes = List.copyOf(processes);
    figures = Map.copyOf(figures);
  }
}
