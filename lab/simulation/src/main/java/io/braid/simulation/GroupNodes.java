package io.braid.simulation;

import io.braid.core.cells.Families;
import io.braid.core.cells.Hold;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.StoreException;
import io.braid.core.time.TimestampUnavailableException;
import io.braid.core.transaction.Limits;
import io.braid.core.transaction.TransactionException;
import io.braid.groups.leader.GroupLeader;
import io.braid.groups.log.GroupLog;
import io.braid.groups.log.LogBrokenException;
import io.braid.groups.log.StoreGroupLog;
import io.braid.groups.node.GroupNode;
import io.braid.groups.node.LineTransport;
import io.braid.simulation.cluster.LineNetwork;
import io.braid.simulation.cluster.PacketNetwork;
import io.braid.simulation.cluster.SimProcess;
import io.braid.simulation.schedule.SimRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** The group nodes of a scenario, each in a process. A process that dies is started again later. */
final class GroupNodes {
  private static final long MEAN_RESTART_NANOS = Duration.ofMillis(800).toNanos();
  private static final Duration LOOK = Duration.ofMillis(100);
  private static final long MEAN_LIFE_NANOS = Duration.ofSeconds(6).toNanos();

  private final World world;
  private final GroupNodeSettings settings;
  private final Opener opener;
  private final PacketNetwork packets;
  private final LineNetwork lines;
  private final SimRandom random;
  private final Map<Integer, Running> running = new TreeMap<>();
  private boolean closing;
  private boolean quiet;
  private int alive;
  private long starts;
  private long restarts;

  private record Running(Node node, GroupNode groupNode) {}

  GroupNodes(World world, GroupNodeSettings settings, Opener opener) {
    this.world = world;
    this.settings = settings;
    this.opener = opener;
    this.packets = new PacketNetwork(world.scheduler(), world.faults());
    this.lines = new LineNetwork(world.scheduler(), world.faults());
    this.random = world.random().split();
  }

  LineNetwork lines() {
    return lines;
  }

  /** Where clients may ask: also at nodes that are down. */
  List<String> addresses() {
    return IntStream.range(0, settings.nodes()).mapToObj(settings::address).toList();
  }

  List<String> names() {
    return IntStream.range(0, settings.nodes()).mapToObj(GroupNodeSettings::name).toList();
  }

  /** Returns the groups that the living nodes lead. */
  Collection<GroupLeader> living() {
    List<GroupLeader> living = new ArrayList<>();
    for (Running each : running.values()) {
      if (!each.node.process().isDead()) {
        living.add(each.groupNode.groups());
      }
    }
    return living;
  }

  /** The groups that have a record. */
  static List<Row> records(World world) {
    List<Row> rows = new ArrayList<>();
    ScanRequest request =
        ScanRequest.of(
            Families.SYSTEM_TABLE,
            KeyRange.prefix(Hold.record("").key()),
            Selection.column(Hold.recordColumn()));
    try (RowScanner scanner = world.memory().scan(request)) {
      for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
        rows.add(row.row());
      }
    }
    return rows;
  }

  void start() {
    for (int i = 0; i < settings.nodes(); i++) {
      start(i, 0);
    }
  }

  private void start(int number, int life) {
    if (closing) {
      return;
    }
    alive++;
    // The name makes the token one of a node: other processes leave the groups of nodes to nodes.
    SimProcess process = world.cluster().process("groups/node-" + number + "." + life);
    process.afterDeath(
        () -> {
          alive--;
          running.remove(number);
          world.scheduler().after(random.around(MEAN_RESTART_NANOS), () -> start(number, life + 1));
        });
    process.start("main", () -> serve(process, number, life));
  }

  private void serve(SimProcess process, int number, int life) {
    try {
      Node node = opener.open(process);
      GroupLeader.Base honest =
          new GroupLeader.Base(
              node.store(),
              node.oracle(),
              node.transactions(),
              node.seams(),
              new StoreGroupLog(node.store(), settings.groups().durability(), node.seams()),
              new GroupLeader.TableContext(Limits.DEFAULT, table -> "percolator"));
      GroupLeader.Base base = world.tampering().groups(honest);
      if (world.tampering().restartsBrokenNodes()) {
        process.start("supervisor", () -> endOnceBroken(process, node, base.log()));
      }
      String address = settings.address(number);
      GroupNode.Networks networks =
          new GroupNode.Networks(
              settings.reliable()
                  ? new LineTransport(lines.of(process), address, node.seams())
                  : packets.join(process, settings.messages(number, life)),
              lines.door(process, address, settings.template().clientPatience()),
              lines.of(process));
      running.put(
          number,
          new Running(
              node, GroupNode.over(networks, base, settings.groups(), settings.node(number))));
      starts++;
      if (closing) {
        close(Objects.requireNonNull(running.get(number), "it has just begun"));
        return;
      }
      if (settings.restarts()) {
        process.start("operator", () -> restart(node, number));
      }
    } catch (StoreException
        | TransactionException
        | TimestampUnavailableException
        | LogBrokenException e) {
      // The process dies, like a program that failed to start. It is started again later.
      process.crash();
    }
  }

  private void endOnceBroken(SimProcess process, Node node, GroupLog log) {
    while (!log.isBroken()) {
      node.seams().sleep(LOOK);
    }
    if (!closing) {
      process.crash();
    }
  }

  /** Ends a node as good nodes end, after a while. */
  private void restart(Node node, int number) {
    node.seams().sleep(Duration.ofNanos(random.around(MEAN_LIFE_NANOS)));
    if (!quiet) {
      restarts++;
      close(Objects.requireNonNull(running.get(number), "it has not ended"));
    }
  }

  private static void close(Running each) {
    each.groupNode.close();
    each.node.close();
  }

  /** From now on no node is ended. */
  void leaveAlone() {
    quiet = true;
  }

  /** Ends all nodes. */
  void close() {
    closing = true;
    for (Running each : List.copyOf(running.values())) {
      each.node.process().start("close", () -> close(each));
    }
  }

  boolean areDown() {
    return alive == 0 && packets.isQuiet();
  }

  void count(Map<String, Long> operations) {
    operations.put("node-starts", starts);
    operations.put("node-restarts", restarts);
    operations.put("packets", packets.sent());
  }
}
