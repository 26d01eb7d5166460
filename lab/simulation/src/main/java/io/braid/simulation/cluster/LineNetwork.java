package io.braid.simulation.cluster;

import io.braid.core.data.Bytes;
import io.braid.groups.node.ClientNetwork;
import io.braid.groups.node.Roles;
import io.braid.simulation.schedule.SimRandom;
import io.braid.simulation.schedule.SimScheduler;
import io.braid.simulation.schedule.SimTask;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Connections of clients to group nodes. A connection breaks in several cases: a request or an
 * answer is lost, a node takes too long, or one of the two dies. The other side sees a death at
 * once or much later. A request on a broken connection may still be executed, also long after.
 */
public final class LineNetwork {
  private static final long LEAST_NANOS = 50_000;
  private static final long MEAN_NANOS = 300_000;
  private static final int SLOW = 100;
  private static final long MEAN_LATE_NANOS = Duration.ofSeconds(3).toNanos();
  private static final long CONNECT_NANOS = Duration.ofSeconds(1).toNanos();
  private static final long ANSWER_NANOS = Duration.ofSeconds(10).toNanos();
  private static final long LOOK_NANOS = Duration.ofMillis(300).toNanos();

  private final SimScheduler scheduler;
  private final Faults faults;
  private final SimRandom random;
  private final Map<String, SimDoor> doors = new HashMap<>();

  public LineNetwork(SimScheduler scheduler, Faults faults) {
    this.scheduler = scheduler;
    this.faults = faults;
    this.random = scheduler.random().split();
  }

  /** How a process reaches nodes. */
  public ClientNetwork of(SimProcess process) {
    return address -> connect(process, address);
  }

  /**
   * Where clients come into a process.
   *
   * @param patience a client that is silent for so long counts as gone
   */
  public ClientNetwork.Server door(SimProcess process, String address, Duration patience) {
    return new SimDoor(process, address, patience.toNanos());
  }

  private long latency() {
    return LEAST_NANOS + random.around(MEAN_NANOS);
  }

  private ClientNetwork.Line connect(SimProcess process, String address) throws IOException {
    process.callBegins();
    Exchange exchange = new Exchange(scheduler);
    List<SimLine> made = new ArrayList<>();
    exchange.expect();
    if (!process.isCutOff() && !faults.strikes(Fault.REFUSED)) {
      scheduler.after(
          2 * latency(),
          () -> {
            SimDoor door = doors.get(address);
            if (door != null && door.isOpen()) {
              made.add(new SimLine(process, door));
            }
            exchange.arrived();
          });
    }
    exchange.await("connect", CONNECT_NANOS);
    if (made.isEmpty()) {
      throw new IOException("nobody answers");
    }
    return made.get(0);
  }

  private final class SimDoor implements ClientNetwork.Server {
    private final SimProcess process;
    private final String address;
    private final long patienceNanos;
    private final List<SimLine> lines = new ArrayList<>();
    private @Nullable Function<Roles.Visitor, ClientNetwork.ClientSession> visits;

    private SimDoor(SimProcess process, String address, long patienceNanos) {
      this.process = process;
      this.address = address;
      this.patienceNanos = patienceNanos;
    }

    private boolean isOpen() {
      return visits != null && !process.isDead() && !process.isCutOff();
    }

    @Override
    public String address() {
      return address;
    }

    @Override
    public void open(Function<Roles.Visitor, ClientNetwork.ClientSession> newVisits) {
      visits = newVisits;
      doors.put(address, this);
    }

    @Override
    public void close() {
      visits = null;
      doors.remove(address, this);
      lines.forEach(SimLine::breakOff);
    }
  }

  /** A request on its way. */
  private record Asked(Bytes request, Consumer<Bytes> answered) {}

  private final class SimLine implements ClientNetwork.Line {
    private final SimProcess client;
    private final SimDoor door;
    private final Deque<Asked> asked = new ArrayDeque<>();
    private final boolean deathIsSeen = random.nextBoolean();
    private @Nullable SimTask server;
    private int underWay;
    private boolean broken;

    private SimLine(SimProcess client, SimDoor door) {
      this.client = client;
      this.door = door;
      door.lines.add(this);
      door.process.start("client", this::serve);
    }

    // At the node.

    private void serve() {
      Function<Roles.Visitor, ClientNetwork.ClientSession> visits = door.visits;
      if (visits == null) {
        broken = true;
        return;
      }
      ClientNetwork.ClientSession visit = visits.apply(Roles.Visitor.ALL);
      server = scheduler.current();
      long heard = scheduler.now();
      try {
        // The server reads all requests of the client before it sees the end of the line.
        while (!(broken && asked.isEmpty() && underWay == 0)
            && scheduler.now() - heard < door.patienceNanos) {
          Asked next = asked.poll();
          if (next != null) {
            Bytes answer = visit.answer(next.request);
            heard = scheduler.now();
            scheduler.after(latency(), () -> next.answered.accept(answer));
          } else if (client.isDead() && deathIsSeen) {
            break;
          } else {
            scheduler.park("line", LOOK_NANOS, true);
          }
        }
      } finally {
        broken = true;
        door.lines.remove(this);
        visit.end();
      }
    }

    private void arrive(Asked next) {
      underWay--;
      asked.add(next);
      SimTask serving = server;
      if (serving != null && !door.process.isDead()) {
        scheduler.wake(serving);
      }
    }

    // At the client.

    @Override
    public Bytes ask(Bytes request) throws IOException {
      if (broken) {
        throw new IOException("the connection is broken");
      }
      client.callBegins();
      Exchange exchange = new Exchange(scheduler);
      List<Bytes> answers = new ArrayList<>();
      exchange.expect();
      boolean lost = client.isCutOff() || faults.strikes(Fault.REQUEST_LOST);
      boolean replyLost = faults.strikes(Fault.REPLY_LOST);
      boolean late = faults.strikes(Fault.DELIVERED_LATE);
      long delay = latency() * (faults.strikes(Fault.SLOW) ? SLOW : 1);
      if (!lost) {
        Consumer<Bytes> answered =
            answer -> {
              if (!replyLost && !broken) {
                answers.add(answer);
                exchange.arrived();
              }
            };
        underWay++;
        scheduler.after(
            delay + (late ? random.around(MEAN_LATE_NANOS) : 0),
            () -> arrive(new Asked(request, answered)));
      }
      await(exchange, answers, lost || replyLost || late);
      if (answers.isEmpty()) {
        broken = true;
        throw new IOException("the connection broke");
      }
      return answers.get(0);
    }

    /** Some losses are seen at once, some when patience is at its end. */
    private void await(Exchange exchange, List<Bytes> answers, boolean disturbed) {
      long deadline = scheduler.now() + (disturbed ? random.nextLong(ANSWER_NANOS) : ANSWER_NANOS);
      while (answers.isEmpty() && scheduler.now() < deadline && !isDown()) {
        exchange.await("ask", Math.min(LOOK_NANOS, deadline - scheduler.now()));
      }
    }

    private boolean isDown() {
      return broken || (door.process.isDead() && deathIsSeen);
    }

    private void breakOff() {
      broken = true;
    }

    @Override
    public void close() {
      broken = true;
      SimTask serving = server;
      scheduler.after(
          latency(),
          () -> {
            if (serving != null && !door.process.isDead()) {
              scheduler.wake(serving);
            }
          });
    }
  }
}
