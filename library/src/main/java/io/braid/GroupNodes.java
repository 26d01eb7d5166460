package io.braid;

import io.braid.groups.node.GroupNode;
import io.braid.groups.node.NodeOptions;
import io.braid.groups.node.Roles;
import java.util.List;

/**
 * The group nodes of a process. A node leads groups for clients in other processes, yields its keys
 * to other nodes, and takes over groups of nodes that have died.
 */
public final class GroupNodes {
  private final OwnGroups groups;

  GroupNodes(OwnGroups groups) {
    this.groups = groups;
  }

  /**
   * Starts a group node in this process: it leads groups for clients in other processes, yields its
   * keys to other nodes, and takes over groups of nodes that have died. It ends with this, if it
   * was not closed before.
   *
   * @throws IllegalArgumentException when anybody on other machines could reach it, and neither
   *     {@code groups.secret} nor {@code groups.tls-certificate} is set, nor {@code groups.open}
   */
  public GroupNode start(NodeOptions options) {
    return start(options, Roles.NONE);
  }

  /**
   * Starts a group node in this process, with roles.
   *
   * @param roles what clients and other nodes may do, by their certificates
   * @throws IllegalArgumentException also when there are roles, and no TLS
   */
  public GroupNode start(NodeOptions options, Roles roles) {
    return groups.startNode(options, roles);
  }

  /** The group nodes of this process. */
  public List<GroupNode> all() {
    return groups.startedNodes();
  }

  /**
   * Ends a node of this process; others take its groups over. To be called in place of its close.
   */
  public void close(GroupNode node) {
    groups.closeNode(node);
  }
}
