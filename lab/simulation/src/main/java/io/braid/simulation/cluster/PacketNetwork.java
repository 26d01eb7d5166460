package io.braid.simulation.cluster;

import io.braid.core.data.Bytes;
import io.braid.groups.node.Transport;
import io.braid.groups.protocol.Messaging;
import io.braid.simulation.schedule.SimRandom;
import io.braid.simulation.schedule.SimScheduler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Carries packets between group nodes as datagrams: each with a delay of its own, and now and then
 * not at all, twice, or long after.
 */
public final class PacketNetwork {
  private static final long LEAST_NANOS = 50_000;
  private static final long MEAN_NANOS = 500_000;
  private static final int SLOW = 100;
  private static final long MEAN_LATE_NANOS = Duration.ofSeconds(6).toNanos();

  /** Packets are few: more goes wrong with each than with a request to the store. */
  private static final int HARSHNESS = 6;

  private static final int LITTLE = 400;

  private final SimScheduler scheduler;
  private final Faults faults;
  private final SimRandom random;
  private final Map<String, Post> listening = new HashMap<>();
  private long sent;
  private long underWay;

  public PacketNetwork(SimScheduler scheduler, Faults faults) {
    this.scheduler = scheduler;
    this.faults = faults;
    this.random = scheduler.random().split();
  }

  /** The way of a process into it. */
  public Transport join(SimProcess process, String address) {
    return new Post(process, address);
  }

  /** How many packets were sent. */
  public long sent() {
    return sent;
  }

  /** Whether a packet is on its way. */
  public boolean isQuiet() {
    return underWay == 0;
  }

  private boolean strikes(Fault fault) {
    for (int i = 0; i < HARSHNESS; i++) {
      if (faults.strikes(fault)) {
        return true;
      }
    }
    return false;
  }

  private long latency() {
    return LEAST_NANOS + random.around(MEAN_NANOS);
  }

  private final class Post implements Transport {
    private final SimProcess process;
    private final String address;
    private final Deque<Bytes> arrived = new ArrayDeque<>();
    private @Nullable Receiver receiver;
    private boolean draining;
    private long refused;

    private Post(SimProcess process, String address) {
      this.process = process;
      this.address = address;
    }

    @Override
    public Messaging messaging() {
      return Messaging.UNRELIABLE;
    }

    @Override
    public String address() {
      return address;
    }

    @Override
    public int limit() {
      return LITTLE;
    }

    @Override
    public void start(Receiver newReceiver) {
      receiver = newReceiver;
      listening.put(address, this);
    }

    @Override
    public void send(String to, Bytes packet) {
      scheduler.checkAlive();
      sent++;
      if (process.isCutOff() || strikes(Fault.REQUEST_LOST)) {
        return;
      }
      long delay = latency();
      if (strikes(Fault.RESENT)) {
        deliver(to, packet, delay + random.around(MEAN_NANOS));
      }
      if (strikes(Fault.RESENT_LATE)) {
        deliver(to, packet, random.around(MEAN_LATE_NANOS));
      }
      if (strikes(Fault.DELIVERED_LATE)) {
        delay += random.around(MEAN_LATE_NANOS);
      } else if (strikes(Fault.SLOW)) {
        delay *= SLOW;
      }
      deliver(to, packet, delay);
    }

    private void deliver(String to, Bytes packet, long nanos) {
      underWay++;
      scheduler.after(
          nanos,
          () -> {
            underWay--;
            Post other = listening.get(to);
            if (other != null && !other.process.isCutOff()) {
              other.arrive(packet);
            }
          });
    }

    private void arrive(Bytes packet) {
      if (process.isDead()) {
        return;
      }
      scheduler.trace().add(scheduler.now(), process.name(), "packet", packet.length());
      arrived.add(packet);
      if (!draining) {
        draining = true;
        process.start("packets", this::drain);
      }
    }

    private void drain() {
      try {
        Receiver to = receiver;
        while (to != null && !arrived.isEmpty()) {
          to.receive(arrived.remove());
        }
      } catch (IllegalArgumentException e) {
        refused++;
      } finally {
        draining = false;
      }
    }

    @Override
    public long refused() {
      return refused;
    }

    @Override
    public void close() {
      listening.remove(address, this);
    }
  }
}
