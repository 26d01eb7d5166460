package io.braid;

import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * The process that gives out timestamps and decides commits of Omid's protocol (the leader), and
 * the processes that would take over (the standbys). Returned by {@link Operations#coordinator}.
 *
 * @param leader whether this process is the leader now
 * @param answers whether the leader was reached
 * @param processes all processes that share the database, each in words for people
 * @param figures what the leader has done since it became the leader, by name; empty if that is not
 *     known
 */
@API(status = API.Status.EXPERIMENTAL)
public record CoordinatorStatus(
    boolean leader, boolean answers, List<String> processes, Map<String, Long> figures) {
  /** Of a database that one process has open. */
  static final CoordinatorStatus ALONE =
      new CoordinatorStatus(true, true, List.of("this process"), Map.of());

  public CoordinatorStatus {
    processes = List.copyOf(processes);
    figures = Map.copyOf(figures);
  }
}
