package io.braid;

import io.braid.core.runtime.OpenResources;
import io.braid.core.runtime.Seams;
import io.braid.groups.GroupException;
import io.braid.groups.GroupStats;
import io.braid.groups.Groups;
import io.braid.groups.leader.GroupLeader;
import io.braid.groups.log.GroupLog;
import io.braid.groups.node.GroupNode;
import io.braid.groups.node.Leaders;
import io.braid.groups.node.NodeOptions;
import io.braid.groups.node.RemoteGroups;
import io.braid.groups.node.Roles;
import io.braid.groups.node.Transport;
import io.braid.indexes.IndexRegistry;
import io.braid.tables.BoundTransactions;
import io.braid.tables.TableBindings;
import io.braid.tracing.TracedGroups;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** The key groups of a database: those that this process leads, its group nodes, and others'. */
final class DatabaseGroups {
  private final Foundation on;
  private final BoundTransactions transactions;
  private final TableBindings bindings;
  private final GroupRules rules;
  private final GroupLog log;
  private final GroupLeader leader;
  private final Optional<RemoteGroups> remote;
  private final Groups all;
  private final List<GroupNode> nodes = new CopyOnWriteArrayList<>();
  private final Set<String> endedNodes = ConcurrentHashMap.newKeySet();

  DatabaseGroups(
      Foundation on,
      BoundTransactions transactions,
      TableBindings bindings,
      IndexRegistry indexes) {
    this.rules = new GroupRules(transactions, indexes);
    this.on = on;
    this.transactions = transactions;
    this.bindings = bindings;
    OpenResources opened = on.opened();
    this.log =
        opened.keep(on.logs().openConfigured(on.store(), on.config(), on.seams()), GroupLog::close);
    GroupLeader.Base base = base("");
    this.leader =
        opened.keep(
            new GroupLeader(base, Options.groups(on.config(), on.shared())), GroupLeader::close);
    this.remote = remote(on.config(), on.seams());
    remote.ifPresent(elsewhere -> opened.keep(elsewhere, RemoteGroups::close));
    Groups led =
        remote.isPresent()
            ? remote.get()
            : new InformedGroups(
                leader, new Leaders(leader, on.store(), base.seams(), Options.trust(on.config())));
    this.all = on.tracing().<Groups>map(by -> new TracedGroups(led, by)).orElse(led);
  }

  private static Optional<RemoteGroups> remote(BraidConfig config, Seams seams) {
    String nodes = config.get(Setting.GROUP_NODES);
    return nodes.equals(Setting.GROUP_NODES.defaultText())
        ? Optional.empty()
        : Optional.of(
            RemoteGroups.connect(seams, List.of(nodes.split(",")), Options.trust(config)));
  }

  /**
   * @param node the name of a group node of this process; empty for the process itself
   */
  private GroupLeader.Base base(String node) {
    Seams own =
        new NodeSeams(on.seams(), new NodeLiveness(on.seams().liveness(), node, endedNodes));
    return new GroupLeader.Base(
        on.store(),
        on.oracle(),
        transactions,
        own,
        log,
        new GroupLeader.TableContext(
            Options.limits(on.config()), table -> bindings.forWriting(table).word(), rules));
  }

  /** Led by this process, or by the nodes that are configured. */
  Groups all() {
    return all;
  }

  /** Why groups take no commits; empty when they do. */
  Optional<String> refusesCommits() {
    return leader.isLogBroken()
        ? Optional.of("The log of the key groups cannot be written. Open the database again.")
        : Optional.empty();
  }

  /**
   * Requires that no group has rows of a table. Call it before the table is dropped, or changed so
   * that it may refuse commits of groups. Where groups look the table up, call it once the change
   * is stored.
   */
  void requireNoneOf(String table) {
    List<String> names = leader.groupsOf(table);
    if (!names.isEmpty()) {
      throw new GroupException(
          "Table "
              + table
              + " has rows of key groups: delete these groups first: "
              + String.join(", ", names)
              + ".",
          null);
    }
  }

  GroupStats stats() {
    return nodes.stream()
        .map(node -> node.groups().stats())
        .reduce(leader.stats(), GroupStats::and);
  }

  int sweepGhosts() {
    return leader.sweepGhosts();
  }

  GroupNode startNode(NodeOptions options, Roles roles, Optional<Transport> messages) {
    // A name may be used again; a token never is.
    GroupLeader.Base base = base(options.name() + "-" + on.oracle().next());
    GroupNode node =
        GroupNode.start(
            base,
            Options.groups(on.config(), on.shared()),
            options,
            Options.trust(on.config()),
            roles,
            messages);
    nodes.add(node);
    leader.bequeathAll(node.info().token(), node.info().log());
    node.groups().takeUp();
    return node;
  }

  GroupNodes nodes() {
    return new GroupNodes(this);
  }

  List<GroupNode> startedNodes() {
    return List.copyOf(nodes);
  }

  void closeNode(GroupNode node) {
    node.close();
    endedNodes.add(node.info().token());
    nodes.remove(node);
    if (nodes.isEmpty()) {
      leader.takeUpAll();
    }
  }

  /** Ends the nodes; this process leads its groups on. */
  void closeNodes() {
    nodes.forEach(GroupNode::close);
  }
}
