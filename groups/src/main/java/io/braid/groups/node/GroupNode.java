package io.braid.groups.node;

import io.braid.core.cells.Families;
import io.braid.core.cells.Hold;
import io.braid.core.cells.Intent;
import io.braid.core.data.Row;
import io.braid.core.protocol.Duty;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.Selection;
import io.braid.core.store.TabletUnavailableException;
import io.braid.groups.Group;
import io.braid.groups.GroupException;
import io.braid.groups.GroupInfo;
import io.braid.groups.GroupOptions;
import io.braid.groups.GroupTransaction;
import io.braid.groups.Holds;
import io.braid.groups.LocalGroups;
import io.braid.groups.protocol.Messaging;
import io.braid.groups.protocol.ProtocolOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node of the middleware design (section 5.2): leads groups for clients in other processes,
 * yields keys to other nodes, takes over groups of nodes that have died.
 */
public final class GroupNode implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(GroupNode.class);
  private static final Duration LOOK = Duration.ofMillis(500);
  private static final Duration RETRY = Duration.ofMillis(50);
  private static final Duration LONGEST_RETRY = Duration.ofSeconds(2);

  private final CellStore store;
  private final Seams seams;
  private final NodeOptions options;
  private final NodeDirectory directory;
  private final KeyRanges ranges;
  private final Transport transport;
  private final PostOffice post;
  private final MessagedFollowers followers;
  private final LocalGroups groups;
  private final Optional<GroupDoor> door;
  private final NodeInfo self;
  private final Duty looking;

  /** What a node has done since it was started. */
  public record Statistics(
      int groups, int yieldedKeys, long letters, long packets, long refusedPackets) {}

  /**
   * Starts a node: takes up the groups that it led in an earlier life, and those of nodes that are
   * dead, then lets others in.
   *
   * @param base the liveness token of its seams must be this node's alone
   */
  public static GroupNode start(LocalGroups.Base base, GroupOptions groups, NodeOptions options) {
    Transport transport =
        options.network() == NodeOptions.Network.UDP
            ? new UdpTransport(options.host(), options.messagePort(), base.seams())
            : new TcpTransport(options.host(), options.messagePort(), base.seams());
    GroupDoor door =
        new GroupDoor(options.host(), options.port(), options.mostConnections(), base.seams());
    return new GroupNode(base, groups, options, transport, Optional.of(door));
  }

  /**
   * Starts a node for clients within the process only.
   *
   * @param transport closed with the node
   */
  public static GroupNode within(
      LocalGroups.Base base, GroupOptions groups, NodeOptions options, Transport transport) {
    return new GroupNode(base, groups, options, transport, Optional.empty());
  }

  private GroupNode(
      LocalGroups.Base base,
      GroupOptions groupOptions,
      NodeOptions options,
      Transport transport,
      Optional<GroupDoor> door) {
    this.store = base.store();
    this.seams = base.seams();
    this.options = options;
    this.transport = transport;
    this.directory = new NodeDirectory(store, seams, groupOptions.durability());
    this.ranges = new KeyRanges(store, directory, seams, options.name());
    this.door = door;
    this.post = new PostOffice(transport, directory, seams);
    this.self =
        new NodeInfo(
            options.name(),
            seams.liveness().token(),
            door.map(GroupDoor::address).orElse(""),
            transport.address(),
            base.log().describe());
    this.followers =
        new MessagedFollowers(
            options.name(),
            new Holds(store, base.transactions(), seams, groupOptions),
            ranges,
            protocol(transport.messaging()),
            base.oracle().next(),
            options.messagePatience(),
            seams,
            post);
    refuseTwin();
    directory.enter(self);
    transport.start(followers::receive);
    this.groups = new LocalGroups(base, groupOptions, Optional.of(followers));
    this.looking = Duty.start(seams, "braid-group-nodes", LOOK, this::look);
    int patience = millis(options.clientPatience());
    door.ifPresent(open -> open.open(socket -> new Session(this).serve(socket, patience)));
    LOG.info("Group node {} answers at {}.", self.name(), self.address());
  }

  private static int millis(Duration duration) {
    return Math.toIntExact(Math.max(1, duration.toMillis()));
  }

  private static ProtocolOptions protocol(Messaging messaging) {
    return new ProtocolOptions(messaging, RETRY, LONGEST_RETRY);
  }

  private void refuseTwin() {
    directory.refresh();
    directory
        .named(self.name())
        .ifPresent(
            twin -> {
              throw new GroupException(
                  "There is a group node '"
                      + self.name()
                      + "' already, at "
                      + twin.address()
                      + ": choose another name, or stop it.",
                  null);
            });
  }

  private boolean look() {
    directory.refresh();
    ranges.refresh();
    return false;
  }

  public LocalGroups groups() {
    return groups;
  }

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

  public Statistics statistics() {
    return new Statistics(
        groups.count(),
        followers.yieldedKeys(),
        post.letters(),
        post.packets(),
        transport.refused());
  }

  // Where things are.

  /** The node that a new group with this leader key is to be created at, if it is another one. */
  Optional<String> leaderFor(Row leader) {
    ranges.learn(List.of(leader));
    String owner = ranges.owner(leader);
    return owner.equals(self.name())
        ? Optional.empty()
        : directory.named(owner).map(NodeInfo::address);
  }

  /** The node that leads a group, if it is another one. */
  Optional<String> leaderOf(String name) {
    if (groups.leadsLive(name)) {
      return Optional.empty();
    }
    Optional<String> owner = groups.ownerOf(name);
    if (owner.isEmpty()) {
      return Optional.empty();
    }
    if (owner.get().equals(self.token())) {
      groups.takeUp();
      if (!groups.leadsLive(name)) {
        throw new TabletUnavailableException(
            "Group '" + name + "' is being formed, or taken up by this node: wait.");
      }
      return Optional.empty();
    }
    Optional<NodeInfo> node = directory.withToken(owner.get());
    if (node.isEmpty()) {
      throw new TabletUnavailableException(
          "The leader of group '" + name + "' is gone; another node will take it over: wait.");
    }
    return node.map(NodeInfo::address);
  }

  /** The node that leads the group that holds a row, if it is another one. */
  Optional<String> holderOf(Row row) {
    if (groups.holder(row).isPresent()) {
      return Optional.empty();
    }
    RowCells cells = store.read(RowRead.of(row, Selection.column(Families.hold())));
    if (cells.isEmpty()) {
      return Optional.empty();
    }
    Hold hold = Hold.of(Intent.decode(cells.cells().get(0).value()));
    return groups.find(hold.group()).filter(g -> g.number() == hold.number()).isPresent()
        ? leaderOf(hold.group())
        : Optional.empty();
  }

  // What sessions ask for.

  /** A transaction without isolation on a group that is led here. */
  GroupTransaction updater(String name) {
    return groups.updater(name);
  }

  /** A client that had a group open is gone without a word. */
  void abandoned(Group group) {
    group.detach();
    if (options.clientGone() == NodeOptions.ClientGone.DELETE) {
      seams.start("braid-group-abandoned", () -> deleteUnlessOpen(group.name()));
    }
  }

  private void deleteUnlessOpen(String name) {
    try {
      groups.deleteUnlessOpen(name);
    } catch (RuntimeException e) {
      LOG.debug("Group {} is deleted later.", name, e);
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
    if (successor.address().isEmpty()) {
      return;
    }
    try (NodeConnection there = NodeConnection.open(successor.address())) {
      there.call(Wire.TAKE_UP, to -> {});
    } catch (RuntimeException e) {
      LOG.debug("Node {} will find group {} by itself.", node, name, e);
    }
  }

  void takeUp() {
    groups.takeUp();
  }

  /** All groups with the nodes that lead them, for people. */
  public Optional<String> leaderName(GroupInfo info) {
    return groups.ownerOf(info.name()).flatMap(directory::withToken).map(NodeInfo::name);
  }

  @Override
  public void close() {
    door.ifPresent(GroupDoor::close);
    looking.close();
    groups.close();
    directory.remove(self);
    followers.close();
    post.close();
    transport.close();
  }
}
