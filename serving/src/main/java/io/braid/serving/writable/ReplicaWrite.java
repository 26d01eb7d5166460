package io.braid.serving.writable;

import io.braid.core.data.Bytes;
import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.Seams;
import io.braid.serving.ServingException;
import io.braid.serving.client.FailureDetector;
import io.braid.serving.client.Parallel;
import io.braid.serving.client.ReplicaFailedException;
import io.braid.serving.client.StoreUnavailableException;
import io.braid.serving.client.WrongNodeException;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.ring.Topology;
import java.io.IOException;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One write. The first replica that answers is its master: the clock counts its write there. Two
 * writers with one clock meet at the master, so that one of them is refused. Then the other
 * replicas get the write, all at a time. For those that do not answer, a hint is left with a node
 * that does, before the write is acknowledged.
 *
 * <p>A replica that was asked first and did not answer may have taken the write. All tries have one
 * number. So they count as one write, whichever of them a reader or a later writer has seen. When a
 * writer is refused at a second node, it cannot know whether the first one took the write: the
 * outcome is unknown then. A replica that answers, but refuses to be the master, gets the write
 * like the others once there is a master.
 */
final class ReplicaWrite {
  static final String SILENT = "has not answered several times";

  private final Seams seams;
  private final ReplicaNetwork network;
  private final FailureDetector failures;
  private final StoreDefinition store;
  private final Bytes key;
  private final Map<Integer, Node> missed = new ConcurrentHashMap<>();
  private final Map<Integer, Node> unwilling = new ConcurrentHashMap<>();
  private final Map<Integer, Node> stored = new ConcurrentHashMap<>();
  private final AtomicLong newest = new AtomicLong();
  private final long millis;

  /** Distinguishes this write from all others, at any node where it is tried. */
  private final long write;

  /** Names the tries of which it is not known whether they were taken. */
  private VectorClock open = VectorClock.NONE;

  private @Nullable VersionedValue written;
  private boolean needsFirst;
  private volatile long ring;
  private @Nullable IllegalArgumentException refused;

  /** Whether a node may have taken it that did not say so. */
  private volatile boolean doubtful;

  private final Map<Integer, String> problems = new ConcurrentHashMap<>();

  ReplicaWrite(
      Seams seams,
      ReplicaNetwork network,
      FailureDetector failures,
      StoreDefinition store,
      Bytes key) {
    this.seams = seams;
    this.network = network;
    this.failures = failures;
    this.store = store;
    this.key = key;
    this.millis = Math.max(0, seams.wallMillis());
    this.write = seams.random().nextLong() | 1;
  }

  /** Lets no replica but the first one be the master. */
  ReplicaWrite atFirstReplica() {
    needsFirst = true;
    return this;
  }

  boolean needsFirst() {
    return needsFirst;
  }

  /** Returns the newest topology that was reported by a node that no longer holds the key. */
  long newest() {
    return newest.get();
  }

  /**
   * Writes. Runs again with the replicas of a newer topology, when some replicas no longer had the
   * key. Then all new replicas get the write: a replica that stored it may have left since, and
   * have come back without it.
   */
  VersionedValue run(
      Topology topology, List<Node> nearest, VectorClock basis, Optional<Bytes> value) {
    StoreDefinition known = topology.store(store.store());
    long life = known == null ? store.life() : known.life();
    List<Node> replicas = new ArrayList<>(nearest);
    if (!needsFirst) {
      replicas.sort(Comparator.comparing(node -> basis.isFull(node.id())));
    }
    int masters = needsFirst ? 1 : replicas.size();
    ring = topology.ringVersion();
    int next = 0;
    VersionedValue before = written;
    VersionedValue fresh =
        before == null ? new VersionedValue(basis, millis, value, write) : before;
    missed.clear();
    unwilling.clear();
    stored.clear();
    while (before == null && stored.isEmpty() && next < masters) {
      Node master = replicas.get(next++);
      VectorClock clock = basis.merged(open).incremented(master.id(), life);
      clock = clock.tried(new WriteAttempt(master.id(), clock.at(master.id()), write));
      fresh = new VersionedValue(clock, millis, value, write);
      if (!store(master, fresh) && !missed.containsKey(master.id())) {
        problems.put(master.id(), "it has what the writer has not seen");
        throw new ObsoleteVersionException(store.store());
      }
      if (stored.isEmpty() && doubtful) {
        open = open.tried(new WriteAttempt(master.id(), clock.at(master.id()), write));
      }
    }
    VersionedValue chosen = fresh;
    if (!stored.isEmpty()) {
      written = chosen;
    } else if (needsFirst && before == null) {
      throw withoutFirst(replicas.get(0));
    }
    List<Runnable> rest = new ArrayList<>();
    for (Node node : replicas.subList(next, replicas.size())) {
      rest.add(() -> store(node, chosen));
    }
    if (!stored.isEmpty()) {
      unwilling.values().forEach(node -> rest.add(() -> storeAfterAll(node, chosen)));
    }
    Parallel.run(seams, "write-" + store.store(), rest);
    IllegalArgumentException why = refused;
    if (stored.isEmpty() && !doubtful && why != null) {
      throw why;
    }
    if (stored.isEmpty()) {
      throw unknown();
    }
    hints(chosen, topology.ring().nodes());
    if (stored.size() < store.requiredWrites()) {
      throw unknown();
    }
    return chosen;
  }

  private RuntimeException withoutFirst(Node first) {
    return doubtful
        ? unknown()
        : new StoreUnavailableException(
            "Nothing was added, try again later: node "
                + first.id()
                + ", where all additions to this key begin, does not answer. "
                + problems.get(first.id()));
  }

  /** Whether a node may have taken it, though the write has failed. */
  boolean isDoubtful() {
    return doubtful;
  }

  /** Returns whether one of the siblings is this write, or was written over it. */
  boolean isAmong(List<VersionedValue> siblings) {
    return siblings.stream().anyMatch(there -> there.clock().names(write));
  }

  /**
   * Returns the clock that a later write of the same writer must include, whatever the outcome of
   * this write.
   */
  VectorClock attempted(VectorClock basis) {
    VersionedValue taken = written;
    return taken == null ? basis.merged(open) : taken.clock();
  }

  PutOutcomeUnknownException unknown() {
    return new PutOutcomeUnknownException(
        store.store(), stored.size(), store.requiredWrites(), new TreeMap<>(problems).toString());
  }

  /** Whether a replica has it now. One that has something newer has it too. */
  private boolean store(Node node, VersionedValue fresh) {
    if (!failures.mayAsk(node.id())) {
      problems.put(node.id(), SILENT);
      missed.put(node.id(), node);
      return false;
    }
    try {
      return ask(node, fresh);
    } finally {
      failures.asked(node.id());
    }
  }

  private boolean ask(Node node, VersionedValue fresh) {
    try {
      boolean taken =
          written == null && stored.isEmpty()
              ? network.putFirst(node, store.store(), key, fresh, ring)
              : network.put(node, store.store(), key, fresh, ring) || has(node, fresh);
      failures.succeeded(node.id());
      if (taken) {
        stored.put(node.id(), node);
      }
      return taken;
    } catch (WrongNodeException e) {
      // The ring may have become too old when it was stored already.
      doubtful = true;
      newest.accumulateAndGet(e.topology(), Math::max);
      problems.put(node.id(), String.valueOf(e.getMessage()));
      missed.put(node.id(), node);
      return false;
    } catch (IllegalArgumentException e) {
      // Another one may know more.
      refused = e;
      problems.put(node.id(), String.valueOf(e.getMessage()));
      missed.put(node.id(), node);
      return false;
    } catch (IOException | RuntimeException e) {
      if (e instanceof ServingException refusal && refusal.code() == ErrorCode.WRITES_REFUSED) {
        throw refusedByImport(node, refusal);
      }
      boolean refilling = isRefilling(e);
      doubtful |= !refilling && mayBeDone(e);
      failures.failed(node.id());
      problems.put(node.id(), String.valueOf(e.getMessage()));
      missed.put(node.id(), node);
      if (refilling || e instanceof ReplicaFailedException) {
        unwilling.put(node.id(), node);
      }
      return false;
    }
  }

  private RuntimeException refusedByImport(Node node, ServingException refusal) {
    if (doubtful) {
      problems.put(node.id(), String.valueOf(refusal.getMessage()));
      return unknown();
    }
    return refusal;
  }

  private static boolean isRefilling(Exception failure) {
    return failure instanceof ServingException refusal && refusal.code() == ErrorCode.REFILLING;
  }

  /** A write that was not sent was not taken. */
  private static boolean mayBeDone(Exception failure) {
    return failure instanceof ReplicaFailedException failed
        ? !failed.nothingDone()
        : !(failure instanceof ConnectException);
  }

  private void storeAfterAll(Node node, VersionedValue fresh) {
    if (store(node, fresh)) {
      missed.remove(node.id());
    }
  }

  private boolean has(Node node, VersionedValue fresh) throws IOException {
    return network.get(node, store.store(), key, ring).stream()
        .anyMatch(there -> there.includes(fresh));
  }

  private void hints(VersionedValue written, List<Node> all) {
    for (Node lost : missed.values()) {
      for (Node keeper : all) {
        if (!missed.containsKey(keeper.id()) && hint(keeper, lost, written)) {
          break;
        }
      }
    }
  }

  private boolean hint(Node keeper, Node lost, VersionedValue written) {
    try {
      network.hint(keeper, new Hint(lost.id(), store.store(), key), written);
      return true;
    } catch (IOException | RuntimeException e) {
      failures.failed(keeper.id());
      return false;
    }
  }
}
