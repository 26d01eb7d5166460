package io.braid.percolator;

import io.braid.core.protocol.Duty;
import io.braid.core.runtime.Seams;
import io.braid.percolator.garbage.CollectionOptions;
import io.braid.percolator.garbage.Collector;
import io.braid.percolator.reads.ActiveSnapshots;
import java.util.ArrayList;
import java.util.List;

/**
 * The background work of this process for the collection of garbage, as far as the options ask for
 * it. Publishes to the collections of other processes what is read here, and collects.
 */
final class CollectionDuties implements AutoCloseable {
  private final Collector collector;
  private final ActiveSnapshots active;
  private final List<Duty> duties = new ArrayList<>();

  CollectionDuties(
      Seams seams, CollectionOptions options, Collector collector, ActiveSnapshots active) {
    this.collector = collector;
    this.active = active;
    if (options.publishes()) {
      Duty publish =
          Duty.start(
              seams,
              "braid-readers",
              options.renewal(),
              () -> {
                publish();
                return false;
              });
      publish.wake();
      duties.add(publish);
    }
    if (options.collects()) {
      duties.add(
          Duty.start(
              seams,
              "braid-garbage",
              options.interval(),
              () -> {
                collector.collectOnce();
                return false;
              }));
    }
  }

  void publish() {
    collector.publish(active.bound());
  }

  @Override
  public void close() {
    duties.forEach(Duty::close);
  }
}
