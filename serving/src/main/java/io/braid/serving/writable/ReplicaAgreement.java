package io.braid.serving.writable;

import io.braid.core.data.Bytes;
import io.braid.core.data.Encoder;
import io.braid.serving.chunk.Placement;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.ring.Topology;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Brings all that a node has to the other replicas that lack it. When every node has done so while
 * none took a new write, all replicas are the same: what the marks are for that the paper sends
 * through its message broker (Hadoop on PNUTS, section 6.2). Writers here send to each replica
 * themselves, so that there is no channel that a mark could follow.
 *
 * <p>Ranges are compared by a digest, and halved where they differ: what is the same costs a walk
 * through both stores, and hardly anything on the way.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class ReplicaAgreement {
  private static final int PAGE = 128;
  private static final int FEW = 8;

  private final Topology topology;
  private final int self;
  private final StoreDefinition store;
  private final Engine engine;

  /**
   * A range of keys, of which those count that both nodes hold.
   *
   * @param asker the other node
   * @param after begins behind this key; null: at the first
   * @param last the last key
   */
  public record Span(int asker, @Nullable Bytes after, Bytes last) {}

  /**
   * @param engine of the node {@code self}
   */
  public ReplicaAgreement(Topology topology, int self, StoreDefinition store, Engine engine) {
    this.topology = topology;
    this.self = self;
    this.store = store;
    this.engine = engine;
  }

  /**
   * Walks through the store once.
   *
   * @return how many tuples were sent
   * @throws IOException when a node does not answer
   */
  public long spread(ReplicaNetwork network) throws IOException {
    long sent = 0;
    @Nullable Bytes after = null;
    while (true) {
      List<Engine.Entry> page = engine.entries(after, PAGE);
      if (page.isEmpty()) {
        return sent;
      }
      for (Node other : topology.ring().nodes()) {
        if (other.id() != self) {
          sent += spread(network, other, shared(page, other.id()), after);
        }
      }
      after = last(page);
    }
  }

  private static Bytes last(List<Engine.Entry> page) {
    return page.get(page.size() - 1).key();
  }

  private long spread(
      ReplicaNetwork network, Node other, List<Engine.Entry> entries, @Nullable Bytes after)
      throws IOException {
    if (entries.isEmpty()) {
      return 0;
    }
    Span span = new Span(self, after, last(entries));
    if (network.digest(other, store.store(), span).equals(digest(entries))) {
      return 0;
    }
    if (entries.size() > FEW) {
      int half = entries.size() / 2;
      List<Engine.Entry> first = entries.subList(0, half);
      return spread(network, other, first, after)
          + spread(network, other, entries.subList(half, entries.size()), last(first));
    }
    for (Engine.Entry entry : entries) {
      for (VersionedValue sibling : entry.siblings()) {
        network.put(other, store.store(), entry.key(), sibling, topology.ringVersion());
      }
    }
    return entries.size();
  }

  /** The digest of what this node has in a range. */
  public Bytes digest(Span span) {
    List<Engine.Entry> found = new ArrayList<>();
    @Nullable Bytes after = span.after();
    while (true) {
      List<Engine.Entry> page = engine.entries(after, PAGE);
      for (Engine.Entry entry : page) {
        if (entry.key().compareTo(span.last()) > 0) {
          return digest(shared(found, span.asker()));
        }
        found.add(entry);
      }
      if (page.isEmpty()) {
        return digest(shared(found, span.asker()));
      }
      after = last(page);
    }
  }

  /** Those of which both are replicas. */
  private List<Engine.Entry> shared(List<Engine.Entry> entries, int other) {
    Placement placement = new Placement(topology.ring().partitions(), 1);
    List<Engine.Entry> shared = new ArrayList<>();
    for (Engine.Entry entry : entries) {
      int partition = placement.partition(store.hash().of(entry.key().toArray()));
      List<Integer> replicas =
          store.routing(topology.ring()).nodes(partition).stream().map(Node::id).toList();
      if (replicas.contains(self) && replicas.contains(other)) {
        shared.add(entry);
      }
    }
    return shared;
  }

  private static Bytes digest(List<Engine.Entry> entries) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (Engine.Entry entry : entries) {
        Encoder encoder = new Encoder().bytes(entry.key());
        VersionedValue.encodePlain(entry.siblings(), encoder);
        digest.update(encoder.finish().toArray());
      }
      return Bytes.wrap(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("This Java has no SHA-256.", e);
    }
  }
}
