package io.braid.groups.node;

import io.braid.core.data.Row;
import io.braid.core.store.TabletUnavailableException;
import io.braid.groups.GroupException;
import io.braid.groups.leader.GroupLeader;
import io.braid.groups.leader.Holds;
import io.braid.groups.rows.GroupState;
import java.util.Optional;

/**
 * At which node a request is to be made: an address, or empty when it is this one. Where the answer
 * changes at the moment, {@link TabletUnavailableException} has the client ask again.
 */
final class Routes {
  private final NodeInfo self;
  private final GroupLeader groups;
  private final Holds holds;
  private final NodeDirectory directory;
  private final KeyPlacement placement;

  Routes(
      NodeInfo self,
      GroupLeader groups,
      Holds holds,
      NodeDirectory directory,
      KeyPlacement placement) {
    this.self = self;
    this.groups = groups;
    this.holds = holds;
    this.directory = directory;
    this.placement = placement;
  }

  /**
   * Returns the newer node of this name, if there is one: this node was taken for dead and has been
   * started again. This node then has nothing more to do.
   */
  Optional<NodeInfo> newerLife() {
    return directory.named(self.name()).filter(node -> !node.token().equals(self.token()));
  }

  /** The node that a new group with this leader key is to be created at, if it is another one. */
  Optional<String> leaderFor(Row leader) {
    Optional<NodeInfo> newer = newerLife();
    if (newer.isPresent()) {
      return newer.map(NodeInfo::address);
    }
    String owner = placement.owner(leader);
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
        Optional<String> trouble = groups.troubles(name);
        if (trouble.isPresent()) {
          throw new GroupException("Group '" + name + "' " + trouble.get(), null);
        }
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

  /** The node that deletes a group, if it is another one; any stops one that is being formed. */
  Optional<String> deleterOf(Wire.Target target) {
    boolean ask =
        !groups.leadsLive(target.name())
            && groups
                .find(target.name())
                .filter(each -> target.means(each.number()))
                .filter(each -> each.state() != GroupState.FORMING)
                .filter(each -> each.trouble().isEmpty())
                .isPresent();
    return ask ? leaderOf(target.name()) : Optional.empty();
  }

  /** The node that leads the group that holds a row, if it is another one. */
  Optional<String> holderOf(Row row) {
    if (groups.holder(row).isPresent()) {
      return Optional.empty();
    }
    return holds
        .of(row)
        .filter(h -> groups.find(h.group()).filter(g -> g.number() == h.number()).isPresent())
        .flatMap(h -> leaderOf(h.group()));
  }
}
