package io.braid.benchmarks.groups;

import io.braid.GroupNodes;
import io.braid.groups.Groups;
import io.braid.groups.node.GroupNode;

/** The two designs of section 5. */
enum Design {
  CLIENT_BASED("client-based"),
  MIDDLEWARE("middleware");

  private final String word;

  Design(String word) {
    this.word = word;
  }

  String word() {
    return word;
  }

  /**
   * Returns the access of clients to groups in this design. The caller closes it with {@link
   * Entry#close}.
   */
  Entry enter(GroupsBed bed) {
    if (this == CLIENT_BASED) {
      return new Entry(bed.db().groups(), () -> {});
    }
    Groups nodes =
        GroupNodes.connect(
            bed.nodes().stream().map(node -> node.info().address()).toArray(String[]::new));
    return new Entry(nodes, nodes::close);
  }

  /**
   * Returns the number of messages sent for groups so far: calls to servers of the store, or
   * messages between group nodes. Messages of a node to itself count too, as in the paper's state
   * machines.
   */
  long messages(GroupsBed bed) {
    return this == CLIENT_BASED
        ? bed.calls().orElse(0)
        : bed.nodes().stream().map(GroupNode::statistics).mapToLong(s -> s.messages()).sum();
  }

  /** Returns the number of packets of the {@link #messages}. A call is one packet. */
  long packets(GroupsBed bed) {
    return this == CLIENT_BASED
        ? bed.calls().orElse(0)
        : bed.nodes().stream().map(GroupNode::statistics).mapToLong(s -> s.packets()).sum();
  }

  /** The groups as clients see them. */
  record Entry(Groups groups, Runnable leave) implements AutoCloseable {
    @Override
    public void close() {
      leave.run();
    }
  }
}
