package io.braid.benchmarks.groups;

import io.braid.Braid;
import io.braid.core.data.Bytes;
import io.braid.groups.node.GroupNode;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The systems that groups are measured on: a database, group nodes on it, and the raw store beside
 * it.
 */
public interface GroupsBed extends AutoCloseable {
  /** Returns the common name of the store. */
  String name();

  /** Returns the database of the client-based design (section 5.1). */
  Braid db();

  /** Returns the nodes of the middleware design (section 5.2), each with a part of the keys. */
  List<GroupNode> nodes();

  /** Writes rows blindly to the raw store, in one call, as durably as the database commits. */
  void writeRaw(List<Bytes> keys, Bytes value);

  /** Returns the number of calls from {@link #db} to servers; empty if there are no servers. */
  OptionalLong calls();

  /** Returns the work of the store's servers so far; empty if there are none. */
  Optional<Servers> servers();

  /** Spreads the table of the members over the servers. */
  void spread(String table);

  /** Returns the goal for the ratio of an operation to the raw store's writes. */
  Goal goal();

  @Override
  void close();

  /**
   * The work of servers.
   *
   * @param calls the number of calls from all processes
   * @param micros microseconds of processor time; 0 if the servers are on other machines
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
   * @param operations the number of operations in the life of a group that the goal applies to
   * @param ratio the highest ratio to the raw store's writes
   */
  record Goal(int operations, double ratio) {}
}
