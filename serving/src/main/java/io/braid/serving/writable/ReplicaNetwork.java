package io.braid.serving.writable;

import io.braid.core.data.Bytes;
import io.braid.serving.ring.Node;
import io.braid.serving.writable.imports.ImportState;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * How replicas are reached. Methods throw IOException when a node did not answer: whether it did
 * what it was asked to is then not known; and {@link io.braid.serving.client.WrongNodeException}
 * when it does not hold the key, and did nothing.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public interface ReplicaNetwork {
  /**
   * The siblings at one replica.
   *
   * @param ring the version of the ring by which the caller takes the node for a replica
   */
  List<VersionedValue> get(Node node, String store, Bytes key, long ring) throws IOException;

  /**
   * Writes one version at one replica; false when it is obsolete there, see {@link Engine#put
   * Engine.put}.
   *
   * @param ring as for {@link #get get}
   */
  boolean put(Node node, String store, Bytes key, VersionedValue fresh, long ring)
      throws IOException;

  /**
   * Writes at the replica that is the first to take it, see {@link Engine#putFirst
   * Engine.putFirst}.
   *
   * @param ring as for {@link #get get}
   */
  boolean putFirst(Node master, String store, Bytes key, VersionedValue fresh, long ring)
      throws IOException;

  /**
   * Writes at the other replica of a pair whose partition moves from one to the other; it does not
   * send it back.
   */
  boolean mirror(Node other, String store, Bytes key, VersionedValue fresh) throws IOException;

  /** The digest of what another node has in a range, see {@link ReplicaAgreement}. */
  Bytes digest(Node other, String store, ReplicaAgreement.Span span) throws IOException;

  /** Has a node keep a write that another one missed, durably. */
  void hint(Node keeper, Hint hint, VersionedValue missed) throws IOException;

  /** Whether a node keeps any hint of a store. */
  boolean keepsHints(Node keeper, String store) throws IOException;

  /**
   * Tuples of a store at one node, in the order of their keys; none when there are no more.
   *
   * @param master only the siblings that count writes of this node, see {@link Engine#counted
   *     Engine.counted}; null: all
   */
  List<Engine.Entry> entries(
      Node node, String store, @Nullable Bytes after, @Nullable Integer master) throws IOException;

  /**
   * As {@link #entries entries}, of a node that may have lost what it had.
   *
   * @param whole whether it has not
   */
  record ReplicaEntries(boolean whole, List<Engine.Entry> entries) {}

  /** The last import into a store that a node knows of. */
  Optional<ImportState> imported(Node node, String store) throws IOException;

  /**
   * Returns the tuples that are left at a node, in the order of keys: for a replica that is
   * refilled.
   */
  ReplicaEntries rest(Node node, String store, @Nullable Bytes after) throws IOException;
}
