package io.braid;

import io.braid.core.runtime.SystemSeams;
import io.braid.groups.Groups;
import io.braid.groups.node.GroupNode;
import io.braid.groups.node.NodeOptions;
import io.braid.groups.node.RemoteGroups;
import io.braid.groups.node.Roles;
import io.braid.groups.node.Transport;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The group nodes of a process. A node leads groups for clients in other processes, yields its keys
 * to other nodes, and takes over groups of nodes that have died.
 */
@API(status = API.Status.EXPERIMENTAL)
public final class GroupNodes {
  private final DatabaseGroups groups;

  GroupNodes(DatabaseGroups groups) {
    this.groups = groups;
  }

  /**
   * Connects to group nodes without opening a database. The caller closes the result.
   *
   * @param addresses HOST:PORT of some of them
   * @throws IllegalArgumentException when one is not an address; an address that does not answer
   *     shows only later
   */
  public static Groups connect(String... addresses) {
    return connect(BraidConfig.defaults(), addresses);
  }

  /**
   * Connects to group nodes without opening a database.
   *
   * @param config how this process and the nodes know each other: {@code groups.secret}, {@code
   *     groups.tls-*}
   * @param addresses HOST:PORT of some of them
   */
  public static Groups connect(BraidConfig config, String... addresses) {
    return RemoteGroups.connect(new SystemSeams(), List.of(addresses), Options.trust(config));
  }

  /**
   * Starts a group node in this process: it leads groups for clients in other processes, yields its
   * keys to other nodes, and takes over groups of nodes that have died. It ends with the database,
   * if it was not closed before.
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
    return groups.startNode(options, roles, Optional.empty());
  }

  /**
   * Starts a group node whose messages to other nodes take another way.
   *
   * @hidden
   */
  @API(status = API.Status.INTERNAL)
  public GroupNode start(NodeOptions options, Transport messages) {
    return groups.startNode(options, Roles.NONE, Optional.of(messages));
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
