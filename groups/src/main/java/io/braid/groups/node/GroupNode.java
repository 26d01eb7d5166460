package io.braid.groups.node;

import io.braid.core.data.Decoder;
import io.braid.core.protocol.Duty;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.store.StoreException;
import io.braid.core.time.TimestampOracle;
import io.braid.groups.Group;
import io.braid.groups.GroupException;
import io.braid.groups.GroupInfo;
import io.braid.groups.GroupOptions;
import io.braid.groups.GroupTransaction;
import io.braid.groups.leader.GroupLeader;
import io.braid.groups.leader.Holds;
import io.braid.groups.protocol.Messaging;
import io.braid.groups.protocol.ProtocolOptions;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node of the middleware design (section 5.2): leads groups for clients in other processes,
 * yields keys to other nodes, takes over groups of nodes that have died.
 */
@API(status = API.Status.EXPERIMENTAL)
public final class GroupNode implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(GroupNode.class);
  private static final Duration LOOK = Duration.ofMillis(500);
  private static final Duration RETRY = Duration.ofMillis(50);
  private static final Duration LONGEST_RETRY = Duration.ofSeconds(2);

  private final TimestampOracle oracle;
  private final Seams seams;
  private final NodeOptions options;
  private final Holds holds;
  private final NodeDirectory directory;
  private final KeyPlacement placement;
  private final Networks networks;
  private final MessageSender sender;
  private final MessagedFollowers followers;
  private final GroupLeader groups;
  private final Leaders leaders;
  private final Routes routes;
  private final NodeInfo self;
  private final Duty looking;
  private final Duty forgetting;

  /** The work of a node since it was started. */
  public record Statistics(
      int groups,
      int yieldedKeys,
      long messages,
      long packets,
      long refusedPackets,
      long refusedClients) {}

  /**
   * Starts a node: takes up the groups that it led in an earlier life, and those of nodes that are
   * dead, then lets others in.
   *
   * @param base the liveness token of its seams must be this node's alone
   * @param roles the permissions of clients and other nodes; {@link Roles#NONE}: everything
   * @throws IllegalArgumentException when it would let in any caller from another machine
   * @hidden
   */
  @API(status = API.Status.INTERNAL)
  public static GroupNode start(
      GroupLeader.Base base, GroupOptions groups, NodeOptions options, Trust trust, Roles roles) {
    return start(base, groups, options, trust, roles, Optional.empty());
  }

  /**
   * Starts a node.
   *
   * @param messages carries messages to other nodes; empty: requests, as those of clients
   * @hidden
   */
  @API(status = API.Status.INTERNAL)
  public static GroupNode start(
      GroupLeader.Base base,
      GroupOptions groups,
      NodeOptions options,
      Trust trust,
      Roles roles,
      Optional<Transport> messages) {
    trust.requireSafe(new InetSocketAddress(options.host(), 0));
    if (roles != Roles.NONE && trust.tls().isEmpty()) {
      throw new IllegalArgumentException(
          "Identities are recognised by their certificates: set groups.tls-certificate, groups.tls-key"
              + " and groups.tls-authorities.");
    }
    GroupServer server = new GroupServer(options, base.seams(), trust, roles);
    Transport transport =
        messages.orElseGet(
            () -> new LineTransport(trust.network(), server.address(), base.seams()));
    return over(new Networks(transport, server, trust.network()), base, groups, options);
  }

  /**
   * Starts a node.
   *
   * @param networks closed with the node, also when it cannot be started
   * @hidden
   */
  @API(status = API.Status.INTERNAL)
  public static GroupNode over(
      Networks networks, GroupLeader.Base base, GroupOptions groups, NodeOptions options) {
    try {
      return new GroupNode(networks, base, groups, options);
    } catch (RuntimeException e) {
      networks.close();
      throw e;
    }
  }

  /**
   * The networks of a node.
   *
   * @param transport to other nodes, in the protocol
   * @param server where clients come in
   * @param clients how it asks other nodes as their clients do
   * @hidden
   */
  @API(status = API.Status.INTERNAL)
  public record Networks(Transport transport, ClientNetwork.Server server, ClientNetwork clients) {
    void close() {
      server.close();
      transport.close();
    }
  }

  private GroupNode(
      Networks networks, GroupLeader.Base base, GroupOptions groupOptions, NodeOptions options) {
    Transport transport = networks.transport();
    this.networks = networks;
    CellStore store = base.store();
    this.oracle = base.oracle();
    this.seams = base.seams();
    this.options = options;
    this.holds = new Holds(store, base.transactions(), seams, groupOptions);
    this.directory = new NodeDirectory(store, seams, groupOptions.durability());
    this.placement = new KeyPlacement(directory, options.name());
    this.self =
        new NodeInfo(
            options.name(),
            seams.liveness().token(),
            networks.server().address(),
            transport.address(),
            base.log().describe(),
            transport.messaging().word());
    directory.admit(self);
    long unique = oracle.next();
    this.sender = new MessageSender(transport, directory, seams);
    this.followers =
        new MessagedFollowers(
            options.name(),
            holds,
            placement,
            protocol(transport.messaging()),
            unique,
            options.messagePatience(),
            groupOptions.leaderLease().isZero() ? Inbox.NEAR : Inbox.FAR,
            seams,
            sender);
    enterOrLeave(unique);
    transport.start(followers::receive);
    this.groups = new GroupLeader(base, groupOptions, Optional.of(followers));
    this.leaders = new Leaders(groups, directory, networks.clients(), seams);
    this.routes = new Routes(self, groups, holds, directory, placement);
    this.looking = Duty.start(seams, "braid-group-nodes", LOOK, this::look);
    this.forgetting =
        Duty.start(seams, "braid-group-memory", groupOptions.sweepEvery(), this::forgetGone);
    networks.server().open(visitor -> new Session(this, visitor));
    LOG.info("Group node {} answers at {}.", self.name(), self.address());
  }

  private static ProtocolOptions protocol(Messaging messaging) {
    return new ProtocolOptions(messaging, RETRY, LONGEST_RETRY);
  }

  /** Two that start at once do not see each other before both have entered. */
  private void enterOrLeave(long version) {
    try {
      directory.enter(self, version);
      directory.requireSameNetwork(self);
    } catch (RuntimeException e) {
      sender.close();
      directory.remove(self);
      throw e;
    }
  }

  private boolean look() {
    directory.refresh();
    Optional<NodeInfo> newer = routes.newerLife();
    if (groups.hasResigned()) {
      directory.remove(self);
    } else if (newer.isPresent()) {
      // Messages already go to the new node, so groups led here could not be ended.
      LOG.warn("Node {} was started again, at {}.", self.name(), newer.get().address());
      groups.bequeathAll(newer.get().token(), newer.get().log());
    } else if (directory.named(self.name()).isEmpty()) {
      directory.enter(self, oracle.next());
    }
    return false;
  }

  /** A record is there before the first key joins, and as long as one is held. */
  private boolean forgetGone() {
    Set<Long> gone = followers.known();
    if (!gone.isEmpty()) {
      groups.list().forEach(group -> gone.remove(group.number()));
      followers.forgetGone(gone);
    }
    return false;
  }

  /**
   * Returns the groups that it leads, and its knowledge of others.
   *
   * @hidden
   */
  @API(status = API.Status.INTERNAL)
  public GroupLeader groups() {
    return groups;
  }

  /** Returns the entry of the node in the store: its name, addresses and log. */
  public NodeInfo info() {
    return self;
  }

  /** The nodes that are alive, as far as this one knows. */
  public List<NodeInfo> nodes() {
    return directory.live();
  }

  /** The nodes that are alive now. */
  List<NodeInfo> lookForNodes() {
    directory.refresh();
    return directory.live();
  }

  /** At which node a request is to be made. */
  Routes routes() {
    return routes;
  }

  public Statistics statistics() {
    return new Statistics(
        groups.count(),
        followers.yieldedKeys(),
        sender.messages(),
        sender.packets(),
        networks.transport().refused(),
        networks.server().refused());
  }

  // Operations for sessions.

  /** A transaction without isolation on a group that was opened here. */
  GroupTransaction updater(Group group) {
    return groups.updater(group);
  }

  /** A client that had a group open is gone without a word. */
  void abandoned(Group group) {
    group.detach();
    if (options.clientGone() == NodeOptions.ClientGone.DELETE) {
      seams.start("braid-group-abandoned", () -> deleteUnlessOpen(group));
    }
  }

  private void deleteUnlessOpen(Group group) {
    try {
      groups.deleteUnlessOpen(group);
    } catch (RuntimeException e) {
      LOG.debug("Group {} is deleted later.", group.name(), e);
    }
  }

  /** Makes another node the leader of a group. */
  public void handOver(String name, String node) {
    directory.refresh();
    NodeInfo successor =
        directory
            .named(node)
            .orElseThrow(
                () ->
                    new GroupException(
                        "There is no group node '"
                            + node
                            + "': these are there: "
                            + nodes().stream().map(NodeInfo::name).toList()
                            + ".",
                        null));
    if (successor.equals(self)) {
      return;
    }
    groups.bequeath(name, successor.token(), successor.log());
    try (NodeConnection there = NodeConnection.open(networks.clients(), successor.address())) {
      there.call(Wire.TAKE_UP, to -> {});
    } catch (RuntimeException e) {
      LOG.debug("Node {} will find group {} by itself.", node, name, e);
    }
  }

  void takeUp() {
    groups.takeUp();
  }

  /** Takes the packets of another node. */
  void carried(Decoder from) {
    networks.transport().carried(from);
  }

  /** All groups, as their leaders know them. */
  List<GroupInfo> list() {
    return leaders.list().stream().map(this::signed).toList();
  }

  /** A group, as its leader knows it. */
  Optional<GroupInfo> find(String name) {
    return leaders.find(name).map(this::signed);
  }

  private GroupInfo signed(GroupInfo group) {
    return group.here() ? group.ledBy(self.name(), true) : group;
  }

  @Override
  public void close() {
    networks.server().close();
    looking.close();
    forgetting.close();
    groups.close();
    try {
      directory.remove(self);
    } catch (StoreException e) {
      LOG.debug("Node {} stays in the list until it is found dead.", self.name(), e);
    }
    followers.close();
    sender.close();
    networks.transport().close();
  }
}
