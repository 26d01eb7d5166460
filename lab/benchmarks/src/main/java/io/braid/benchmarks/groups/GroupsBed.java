package io.braid.benchmarks.groups;

import io.braid.Braid;
import io.braid.core.data.Bytes;
import io.braid.groups.node.GroupNode;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** What groups are measured on: a database, group nodes on it, and the raw store beside it. */
public interface GroupsBed extends AutoCloseable {
  /** The store, as people call it. */
  String name();

  /** The database of the client-based design (section 5.1). */
  Braid db();

  /** The nodes of the middleware design (section 5.2), each with a part of the keys. */
  List<GroupNode> nodes();

  /** Writes rows blindly to the raw store, in one call, as durably as the database commits. */
  void writeRaw(List<Bytes> keys, Bytes value);

  /** How many calls {@link #db} has sent to servers; empty where there are none. */
  OptionalLong calls();

  /** What servers of the store have done until now; empty where there are none. */
  Optional<Servers> servers();

  /** Spreads the table of the members over the servers. */
  void spread(String table);

  /** What an operation may take to the raw store's writes, by the length of a group's life. */
  Goal goal();

  @Override
  void close();

  /**
   * What servers have done.
   *
   * @param calls that all processes have sent to them
   * @param micros of processor time; 0 where they are on other machines
   */
  record Servers(long calls, long micros) {
    static final Servers NOTHING = new Servers(0, 0);

    Servers plus(Servers other) {
      return new Servers(calls + other.calls, micros + other.micros);
    }

    Servers since(Servers before) {
      return new Servers(calls - before.calls, micros - before.micros);
    }
  }

  /**
   * A goal for figure 11.
   *
   * @param operations from so many in the life of a group on
   */
  record Goal(int operations, double ratio) {}
}
