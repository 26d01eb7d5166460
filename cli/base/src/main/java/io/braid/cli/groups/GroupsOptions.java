package io.braid.cli.groups;

import io.braid.Braid;
import io.braid.GroupNodes;
import io.braid.cli.command.DatabaseOptions;
import io.braid.cli.command.UsageException;
import io.braid.core.failure.ErrorCode;
import io.braid.core.store.StoreException;
import io.braid.groups.Groups;
import io.braid.groups.node.RemoteGroups;
import java.util.List;
import java.util.function.ToIntFunction;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of verbs on key groups: a database, or group nodes that are running. */
final class GroupsOptions {
  @Option(
      names = "--at",
      split = ",",
      paramLabel = "HOST:PORT",
      description = "Group nodes that are running, instead of a database; see 'braid group-node'.")
  List<String> at = List.of();

  @Mixin DatabaseOptions database = new DatabaseOptions();

  /** Something that is done with groups. */
  interface Use {
    int of(Groups groups);
  }

  /** Opens the database, or connects to the nodes; returns the exit code of the work. */
  int with(Use use) {
    if (!at.isEmpty()) {
      try (Groups groups = connect()) {
        return use.of(groups);
      }
    }
    try (Braid db = open()) {
      return use.of(db.groups());
    }
  }

  /** Opens the database. Another process that has the database open may run group nodes. */
  private Braid open() {
    try {
      return database.openExisting();
    } catch (StoreException e) {
      if (e.code() != ErrorCode.LOCKED) {
        throw e;
      }
      throw new StoreException(
          ErrorCode.LOCKED,
          e.getMessage() + " If that one runs a group node, name it with --at HOST:PORT.");
    }
  }

  private Groups connect() {
    return GroupNodes.connect(database.configuration(), at.toArray(new String[0]));
  }

  /** Does {@link #with} for work that the database and the nodes do in different ways. */
  int either(ToIntFunction<Braid> database, ToIntFunction<RemoteGroups> nodes) {
    if (!at.isEmpty()) {
      return withNodes(nodes);
    }
    try (Braid db = open()) {
      return database.applyAsInt(db);
    }
  }

  /** Does work that only group nodes do. */
  int withNodes(ToIntFunction<RemoteGroups> use) {
    if (at.isEmpty()) {
      throw new UsageException("Name a group node with --at HOST:PORT.");
    }
    try (Groups groups = connect()) {
      return use.applyAsInt((RemoteGroups) groups);
    }
  }
}
