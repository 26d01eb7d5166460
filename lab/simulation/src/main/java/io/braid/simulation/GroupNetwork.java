package io.braid.simulation;

import io.braid.groups.protocol.Envelope;
import io.braid.groups.protocol.Message;
import io.braid.simulation.cluster.Fault;
import io.braid.simulation.cluster.Faults;
import io.braid.simulation.schedule.SimRandom;
import io.braid.simulation.schedule.SimScheduler;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Carries messages between nodes of the grouping protocol: each with a delay of its own, and now
 * and then not at all, twice, or long after. A reliable one keeps the order between two nodes and
 * loses nothing.
 */
final class GroupNetwork {
  private static final long LEAST_NANOS = 50_000;
  private static final long MEAN_NANOS = 800_000;
  private static final int SLOW = 100;
  private static final long MEAN_LATE_NANOS = Duration.ofSeconds(6).toNanos();
  private static final long MEAN_CUT_NANOS = Duration.ofSeconds(2).toNanos();

  private final SimScheduler scheduler;
  private final Faults faults;
  private final SimRandom random;
  private final boolean reliable;
  private final Consumer<Envelope> receiver;
  private final Map<String, Long> cutOff = new HashMap<>();
  private final Map<String, Long> lastArrival = new HashMap<>();
  private long underWay;
  private long sent;

  GroupNetwork(World world, boolean reliable, Consumer<Envelope> receiver) {
    this.scheduler = world.scheduler();
    this.faults = world.faults();
    this.random = world.random().split();
    this.reliable = reliable;
    this.receiver = receiver;
  }

  void send(Envelope envelope) {
    sent++;
    long delay = LEAST_NANOS + random.around(MEAN_NANOS);
    if (reliable) {
      String link = envelope.from() + ">" + envelope.to();
      long arrival = Math.max(lastArrival.getOrDefault(link, 0L) + 1, scheduler.now() + delay);
      lastArrival.put(link, arrival);
      deliver(envelope, arrival - scheduler.now());
      return;
    }
    if (faults.strikes(Fault.CUT_OFF)) {
      cutOff.put(envelope.from(), scheduler.now() + random.around(MEAN_CUT_NANOS));
    }
    if (isCutOff(envelope) || faults.strikes(Fault.REQUEST_LOST)) {
      return;
    }
    if (faults.strikes(Fault.RESENT)) {
      deliver(envelope, delay + random.around(MEAN_NANOS));
    }
    if (faults.strikes(Fault.RESENT_LATE)) {
      deliver(envelope, random.around(MEAN_LATE_NANOS));
    }
    if (faults.strikes(Fault.DELIVERED_LATE)) {
      delay += random.around(MEAN_LATE_NANOS);
    } else if (faults.strikes(Fault.SLOW)) {
      delay *= SLOW;
    }
    deliver(envelope, delay);
  }

  private void deliver(Envelope envelope, long nanos) {
    underWay++;
    scheduler.after(
        nanos,
        () -> {
          underWay--;
          if (reliable || !isCutOff(envelope)) {
            Message message = Message.decode(envelope.message().encode());
            scheduler.trace().add(scheduler.now(), envelope.to(), message.sign(), hash(envelope));
            receiver.accept(new Envelope(envelope.from(), envelope.to(), message));
          }
        });
  }

  private boolean isCutOff(Envelope envelope) {
    return !envelope.from().equals(envelope.to())
        && (cutOff.getOrDefault(envelope.from(), 0L) > scheduler.now()
            || cutOff.getOrDefault(envelope.to(), 0L) > scheduler.now());
  }

  private static long hash(Envelope envelope) {
    return envelope.message().group().number() * 31 + envelope.from().hashCode();
  }

  boolean isQuiet() {
    return underWay == 0;
  }

  long sent() {
    return sent;
  }
}
