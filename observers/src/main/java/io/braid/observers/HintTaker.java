package io.braid.observers;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.HintExchange;
import io.braid.observers.schedule.Signals;
import io.braid.observers.schedule.WorkQueue;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task that takes the hints of changes that other processes have made, while there is room for
 * them here. Scanners find what is lost.
 */
final class HintTaker {
  private static final Logger LOG = LoggerFactory.getLogger(HintTaker.class);
  private static final int MOST = 512;
  private static final Duration WAIT = Duration.ofMillis(100);

  private final HintExchange exchange;
  private final Registry registry;
  private final WorkQueue queue;
  private final int capacity;
  private final Consumer<ChangeHint> changes;
  private final Signals signals;

  /**
   * @param capacity with how many rows in the queue no more hints are taken
   * @param changes takes the hints
   */
  HintTaker(
      HintExchange exchange,
      Registry registry,
      WorkQueue queue,
      int capacity,
      Consumer<ChangeHint> changes,
      Signals signals) {
    this.exchange = exchange;
    this.registry = registry;
    this.queue = queue;
    this.capacity = capacity;
    this.changes = changes;
    this.signals = signals;
  }

  void run() {
    while (!signals.closing()) {
      try {
        Set<String> topics = topics();
        if (topics.isEmpty() || queue.size() >= capacity) {
          signals.end.await(WAIT);
        } else {
          exchange.take(topics, MOST, WAIT).forEach(this::pass);
        }
      } catch (RuntimeException | VirtualMachineError | LinkageError e) {
        LOG.warn("Taking hints went wrong; it goes on.", e);
        signals.end.await(WAIT);
      }
    }
    signals.passOn();
  }

  private Set<String> topics() {
    Set<String> topics = new TreeSet<>();
    for (Watch watch : registry.view().watches()) {
      if (watch.runsHere()) {
        topics.add(ChangeHint.topic(watch.registration().table(), watch.registration().column()));
      }
    }
    return topics;
  }

  private void pass(Bytes hint) {
    try {
      changes.accept(ChangeHint.decode(hint));
    } catch (IllegalArgumentException e) {
      LOG.warn("A hint cannot be read: another release?", e);
    }
  }
}
