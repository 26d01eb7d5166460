package io.braid;

import java.util.List;
import java.util.Map;

/**
 * Who gives out timestamps and decides commits of Omid's protocol, and who would take over; told by
 * {@link Braid#coordinator}.
 *
 * @param inOffice whether this process is the coordinator now
 * @param answers whether the one in office was reached
 * @param processes all that share the database, each as people can tell it
 * @param figures what the one in office has done since it took office, by name; empty where that is
 *     not known
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
