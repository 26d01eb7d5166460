package io.braid.groups.node;

import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.Decoder;
import io.braid.core.data.Lists;
import io.braid.core.data.Row;
import io.braid.core.protocol.Backoff;
import io.braid.core.protocol.Duty;
import io.braid.core.runtime.Seams;
import io.braid.groups.Group;
import io.braid.groups.GroupException;
import io.braid.groups.GroupGoneException;
import io.braid.groups.GroupInfo;
import io.braid.groups.GroupRequest;
import io.braid.groups.Groups;
import io.braid.groups.log.LogEntry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apiguardian.api.API;

/**
 * Key groups led by group nodes in other processes. Needs no database, only the address of one or
 * more nodes; it finds the others.
 *
 * <p>While a group is open here, this client contacts its leader every few seconds. Transactions go
 * on at another node when a group is handed over, or taken over from a node that died: {@link
 * Group#run Group.run} begins them again there.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class RemoteGroups implements Groups {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration PING_EVERY = Duration.ofSeconds(4);

  private final Connections connections;
  private final Map<Long, RemoteGroup> open = new ConcurrentSkipListMap<>();
  private final AtomicLong opened = new AtomicLong();
  private final Duty pinging;

  private RemoteGroups(
      Seams seams, ClientNetwork network, List<String> addresses, Duration patience) {
    this.connections = new Connections(seams, network, addresses, patience);
    this.pinging = Duty.start(seams, "braid-group-pings", PING_EVERY, this::ping);
  }

  /**
   * Connects to group nodes; asks them again for up to 30 s while none answers.
   *
   * @param addresses HOST:PORT of some of them
   * @throws IllegalArgumentException when one is no address
   */
  public static RemoteGroups connect(Seams seams, List<String> addresses) {
    return connect(seams, addresses, Trust.NONE);
  }

  /**
   * Connects to nodes with credentials.
   *
   * @throws GroupException by all methods of it when the nodes do not let this process in
   */
  public static RemoteGroups connect(Seams seams, List<String> addresses, Trust trust) {
    return connect(seams, trust.network(), addresses, PATIENCE);
  }

  /**
   * Connects to nodes by a network.
   *
   * @param patience how long it asks again while no node answers
   */
  public static RemoteGroups connect(
      Seams seams, ClientNetwork network, List<String> addresses, Duration patience) {
    if (addresses.isEmpty()) {
      throw new IllegalArgumentException("Name the address of a group node: HOST:PORT.");
    }
    addresses.forEach(Addresses::parse);
    return new RemoteGroups(seams, network, addresses, patience);
  }

  private boolean ping() {
    open.values().forEach(RemoteGroup::ping);
    return false;
  }

  @Override
  public Group create(GroupRequest request) {
    Connections.Answer answer = connections.ask(false, Wire.CREATE, to -> Wire.encode(to, request));
    RemoteGroup group = remote(answer);
    if (!group.members().isEmpty()) {
      request.joined().accept(List.copyOf(group.members()));
    }
    return entered(group);
  }

  @Override
  public Group open(String name) {
    Wire.Target target = new Wire.Target(name, Wire.Target.ANY);
    return entered(remote(connections.ask(true, Wire.OPEN, target::encode)));
  }

  private RemoteGroup remote(Connections.Answer answer) {
    return RemoteGroup.of(this, opened.incrementAndGet(), connections, answer);
  }

  private RemoteGroup entered(RemoteGroup group) {
    open.put(group.number(), group);
    return group;
  }

  void left(RemoteGroup group) {
    open.remove(group.number());
  }

  @Override
  public void delete(String name) {
    // Asked again after a lost answer, a deletion by name could meet the next group of that name.
    long number = connections.result(true, Wire.NUMBER, to -> to.text(name)).varint();
    if (number == Wire.Target.ANY) {
      throw new GroupGoneException(name, "does not exist");
    }
    delete(new Wire.Target(name, number));
  }

  @Override
  public void delete(GroupInfo group) {
    delete(new Wire.Target(group.name(), group.number()));
  }

  @Override
  public void giveUp(GroupInfo group) {
    Wire.Target target = new Wire.Target(group.name(), group.number());
    connections.result(true, Wire.GIVE_UP, target::encode);
  }

  void delete(Wire.Target target) {
    Backoff backoff =
        new Backoff(connections.seams(), Duration.ofMillis(5), Duration.ofMillis(300));
    while (true) {
      try {
        connections.result(true, Wire.DELETE, target::encode);
        return;
      } catch (GroupGoneException e) {
        // It is there, and was led elsewhere or is being deleted when the question came.
        if (backoff.elapsed().compareTo(connections.patience()) > 0 || !backoff.pause()) {
          throw e;
        }
      }
    }
  }

  @Override
  public List<LogEntry> pending(String name, long after) {
    return Lists.decode(
        connections.result(true, Wire.PENDING, to -> to.text(name).varint(after)),
        LogEntry::decode);
  }

  @Override
  public List<GroupInfo> list() {
    return Lists.decode(connections.result(true, Wire.LIST, to -> {}), Wire::info);
  }

  /** The nodes that are alive. */
  public List<NodeInfo> nodes() {
    return Lists.decode(connections.result(true, Wire.NODES, to -> {}), NodeInfo::read);
  }

  /** Has a node free the rows that groups hold which are gone; how many there were. */
  public int sweepGhosts() {
    return connections.result(true, Wire.SWEEP, to -> {}).count(Integer.MAX_VALUE);
  }

  private record GroupListing(GroupInfo info, List<Row> members) {}

  private Optional<GroupListing> show(String name) {
    try {
      Decoder from = connections.result(true, Wire.SHOW, to -> to.text(name));
      return Optional.of(new GroupListing(Wire.info(from), Lists.decode(from, Decoder::row)));
    } catch (GroupGoneException e) {
      return Optional.empty();
    }
  }

  @Override
  public Optional<GroupInfo> find(String name) {
    return show(name).map(GroupListing::info);
  }

  @Override
  public List<Row> membersOf(String name) {
    return show(name).map(GroupListing::members).orElse(List.of());
  }

  @Override
  public <T> Optional<T> latest(Row row, Column<T> column) {
    Backoff backoff =
        new Backoff(connections.seams(), Duration.ofMillis(5), Duration.ofMillis(300));
    while (true) {
      try {
        Decoder from =
            connections.result(true, Wire.LATEST, to -> to.row(row).column(column.name()));
        return value(from).map(column.codec()::decode);
      } catch (GroupGoneException e) {
        if (backoff.elapsed().compareTo(connections.patience()) > 0 || !backoff.pause()) {
          throw e;
        }
      }
    }
  }

  static Optional<Bytes> value(Decoder from) {
    return from.bool() ? Optional.of(from.bytes()) : Optional.empty();
  }

  @Override
  public void handOver(String name, String node) {
    connections.result(true, Wire.HAND_OVER, to -> to.text(name).text(node));
  }

  /** This process leads none. */
  @Override
  public int count() {
    return 0;
  }

  /** Groups that are open stay as they are. */
  @Override
  public void close() {
    pinging.close();
    open.values().forEach(RemoteGroup::detach);
    connections.close();
  }
}
