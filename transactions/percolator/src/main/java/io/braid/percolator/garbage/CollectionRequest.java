package io.braid.percolator.garbage;

import java.time.Duration;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The scope and limits of a collection.
 *
 * @param table only this one; all tables otherwise, beginning where the last collection stopped
 * @param keep how far back every snapshot stays readable
 * @param dryRun only count what could go now
 */
@API(status = API.Status.EXPERIMENTAL)
public record CollectionRequest(Optional<String> table, Duration keep, Rate rate, boolean dryRun) {

  public static CollectionRequest keep(Duration keep) {
    return new CollectionRequest(Optional.empty(), keep, Rate.UNLIMITED, false);
  }

  public CollectionRequest table(String name) {
    return new CollectionRequest(Optional.of(name), keep, rate, dryRun);
  }

  public CollectionRequest rate(Rate value) {
    return new CollectionRequest(table, keep, value, dryRun);
  }

  public CollectionRequest dryRun(boolean value) {
    return new CollectionRequest(table, keep, rate, value);
  }
}
