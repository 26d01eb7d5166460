package io.braid.serving.writable;

import io.braid.core.data.Bytes;
import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.Seams;
import io.braid.serving.ServingException;
import io.braid.serving.chunk.Placement;
import io.braid.serving.client.FailureDetector;
import io.braid.serving.client.StoreClient;
import io.braid.serving.client.StoreUnavailableException;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.ring.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/**
 * A read-write store of a cluster. For many threads.
 *
 * <p>With R required reads and W required writes of N replicas, R + W &gt; N makes every read see
 * every acknowledged write. A write with a clock that another write has moved on meanwhile is
 * refused. Two writes that could not know of each other are both kept, as siblings.
 *
 * <pre>{@code
 * List<VersionedValue> seen = carts.siblings(bob);
 * carts.put(bob, Siblings.basis(seen), Optional.of(merged(seen))); // refused if changed since
 * carts.applyUpdate(bob, before -> Optional.of(added(before)), Resolver.NEWEST); // the same, repeated
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL)
public final class WritableStore {
  private static final int TRIES = 20;
  private static final Duration BETWEEN = Duration.ofMillis(5);

  private final Seams seams;
  private final ReplicaNetwork network;
  private final FailureDetector failures;
  private final Supplier<Topology> topology;
  private final LongConsumer stale;
  private final String store;
  private final int zone;
  private final UnsettledWrites unsettled = new UnsettledWrites();

  /**
   * A store of the cluster that a client knows. When partitions move, the client bootstraps again.
   *
   * @param zone in which this client runs
   * @hidden
   */
  @API(status = API.Status.INTERNAL)
  public WritableStore(
      Seams seams, ReplicaNetwork network, StoreClient client, String store, int zone) {
    this(seams, network, client::topology, client::refresh, store, zone);
  }

  /**
   * For a topology that its source keeps up to date by itself.
   *
   * @param topology read again for each call; not of a {@link StoreClient}, which remembers it
   * @param zone in which this client runs
   * @hidden
   */
  @API(status = API.Status.INTERNAL)
  public WritableStore(
      Seams seams, ReplicaNetwork network, Supplier<Topology> topology, String store, int zone) {
    this(seams, network, topology, version -> {}, store, zone);
  }

  /**
   * @param topology read again for each call
   * @param stale gets the number of a newer topology that a node knows, and fetches it
   * @param zone in which this client runs
   * @hidden
   */
  @API(status = API.Status.INTERNAL)
  public WritableStore(
      Seams seams,
      ReplicaNetwork network,
      Supplier<Topology> topology,
      LongConsumer stale,
      String store,
      int zone) {
    this.seams = seams;
    this.network = network;
    this.failures = new FailureDetector(seams);
    this.topology = topology;
    this.stale = stale;
    this.store = store;
    this.zone = zone;
  }

  /** The siblings that were read, and the life of the store that they belong to. */
  private record SiblingRead(List<VersionedValue> siblings, long life) {
    VectorClock basis() {
      return Siblings.basis(siblings);
    }
  }

  /**
   * All siblings of a key, deleted ones too: what a writer must have seen.
   *
   * @throws StoreUnavailableException when fewer replicas answered than are required
   */
  public List<VersionedValue> siblings(Bytes key) {
    return see(key).siblings();
  }

  private SiblingRead see(Bytes key) {
    TupleLimits.check(key);
    for (int attempt = 1; ; attempt++) {
      Topology now = topology.get();
      StoreDefinition definition = definition(now);
      ReplicaRead reading = new ReplicaRead(seams, network, failures, definition, key, now);
      try {
        List<VersionedValue> read =
            reading.run(replicas(now, definition, key), definition.requiredReads());
        long life = Siblings.basis(read).life();
        if (attempt == TRIES || life <= definition.life() || !refreshed(now, life)) {
          return new SiblingRead(read, definition.life());
        }
      } catch (StoreUnavailableException e) {
        if (attempt == TRIES || !refreshed(now, reading.newest())) {
          throw e;
        }
      }
    }
  }

  /** Returns whether the topology is newer now than before, because a node reported a newer one. */
  private boolean refreshed(Topology now, long newest) {
    if (newest > now.version()) {
      stale.accept(newest);
    }
    return topology.get().version() > now.version();
  }

  /**
   * The value of a key; none when there is none or it was deleted.
   *
   * @throws StoreUnavailableException when fewer replicas answered than are required
   */
  public Optional<Bytes> get(Bytes key, Resolver resolver) {
    List<VersionedValue> siblings = siblings(key);
    return siblings.isEmpty() ? Optional.empty() : resolver.resolve(siblings).value();
  }

  /** As {@link #get(Bytes, Resolver)}, with the value that was written last. */
  public Optional<Bytes> get(Bytes key) {
    return get(key, Resolver.NEWEST);
  }

  /**
   * Writes.
   *
   * @param basis the clock that the writer has seen, see {@link Siblings#basis Siblings.basis}
   * @param value none: deletes
   * @return the version that was written
   * @throws IllegalArgumentException when the key or the value is beyond {@link TupleLimits}, or no
   *     client can have read this clock from the store as it is now
   * @throws ObsoleteVersionException when there was another write since; nothing was written
   * @throws PutOutcomeUnknownException when too few replicas answered, or one that may have taken
   *     the write did not answer and the next one refuses it
   */
  public VersionedValue put(Bytes key, VectorClock basis, Optional<Bytes> value) {
    return put(key, basis, requireReadable(basis), value);
  }

  private VersionedValue put(Bytes key, VectorClock basis, long life, Optional<Bytes> value) {
    TupleLimits.check(key, value);
    ReplicaWrite write = write(key);
    try {
      return run(write, key, basis, life, value);
    } catch (ObsoleteVersionException e) {
      throw write.isDoubtful() ? write.unknown() : e;
    }
  }

  /** The life of the store of which a clock can have been read. */
  private long requireReadable(VectorClock basis) {
    Topology now = topology.get();
    if (basis.life() > definition(now).life()) {
      refreshed(now, basis.life());
    }
    long life = definition(topology.get()).life();
    basis.requireReadable(life);
    return life;
  }

  private ReplicaWrite write(Bytes key) {
    return new ReplicaWrite(seams, network, failures, definition(topology.get()), key);
  }

  /**
   * Writes. The client's earlier writes of unknown outcome are included.
   *
   * @param life that the store had when the writer read its siblings
   * @throws ObsoleteVersionException when the store has another life now, too
   */
  private VersionedValue run(
      ReplicaWrite write, Bytes key, VectorClock seen, long life, Optional<Bytes> value) {
    VectorClock before = unsettled.of(key);
    VectorClock basis = seen.merged(before);
    Topology now = topology.get();
    for (int attempt = 1; ; attempt++) {
      StoreDefinition definition = definition(now);
      try {
        if (definition.life() != life) {
          // The siblings that the writer saw are gone.
          throw new ObsoleteVersionException(store);
        }
        List<Node> replicas =
            write.needsFirst() ? inOrder(now, definition, key) : replicas(now, definition, key);
        VersionedValue written = write.run(now, replicas, basis, value);
        unsettled.settle(key, before);
        return written;
      } catch (PutOutcomeUnknownException e) {
        if (attempt == TRIES || !refreshed(now, write.newest())) {
          unsettled.add(key, write.attempted(basis));
          throw e;
        }
        now = topology.get();
      } catch (ObsoleteVersionException e) {
        if (write.isDoubtful()) {
          unsettled.add(key, write.attempted(basis));
        }
        throw e;
      }
    }
  }

  /** Writes over any current value; throws as {@link #write write} does. */
  public VersionedValue put(Bytes key, Bytes value) {
    return write(key, Optional.of(value));
  }

  /** Deletes any current value; throws as {@link #write write} does. */
  public VersionedValue delete(Bytes key) {
    return write(key, Optional.empty());
  }

  /**
   * Writes over any current value. Reads first, so that earlier acknowledged writes are included.
   *
   * @param value none: deletes
   * @return the version that was written
   * @throws ObsoleteVersionException when other writers were faster 20 times; nothing was written
   * @throws PutOutcomeUnknownException when too few replicas said that they have stored it
   * @throws StoreUnavailableException when fewer replicas answered the read than are required
   */
  public VersionedValue write(Bytes key, Optional<Bytes> value) {
    TupleLimits.check(key, value);
    List<ReplicaWrite> doubtful = new ArrayList<>();
    for (int attempt = 1; ; attempt++) {
      ReplicaWrite write = write(key);
      try {
        SiblingRead seen = see(key);
        if (doubtful.stream().anyMatch(before -> before.isAmong(seen.siblings()))) {
          // Others have seen it, and it must not come back when they wrote over it.
          throw doubtful.get(0).unknown();
        }
        return run(write, key, seen.basis(), seen.life(), value);
      } catch (ObsoleteVersionException | StoreUnavailableException | ServingException e) {
        if (e instanceof ServingException refusal && refusal.code() != ErrorCode.WRITES_REFUSED) {
          throw e;
        }
        if (write.isDoubtful()) {
          doubtful.add(write);
        }
        if (attempt == TRIES || !(e instanceof ObsoleteVersionException)) {
          throw doubtful.isEmpty() ? e : doubtful.get(0).unknown();
        }
        pause(attempt);
      }
    }
  }

  private void pause(int attempt) {
    seams.sleep(BETWEEN.multipliedBy(1 + seams.random().nextInt(attempt)));
  }

  /**
   * Reads, changes and writes, again from the start while another writer is faster (section 3.1.3).
   *
   * @param change returns the new value, none deletes it; may run several times
   * @param resolver makes one value of siblings, for the change
   * @return the version that was written
   * @throws ObsoleteVersionException when other writers were faster 20 times; nothing was written
   * @throws PutOutcomeUnknownException when too few replicas said that they have stored it
   * @throws StoreUnavailableException when fewer replicas answered the read than are required
   */
  public VersionedValue applyUpdate(
      Bytes key, Function<Optional<Bytes>, Optional<Bytes>> change, Resolver resolver) {
    for (int attempt = 1; ; attempt++) {
      SiblingRead seen = see(key);
      List<VersionedValue> siblings = seen.siblings();
      Optional<Bytes> before =
          siblings.isEmpty() ? Optional.empty() : resolver.resolve(siblings).value();
      try {
        return put(key, seen.basis(), seen.life(), change.apply(before));
      } catch (ObsoleteVersionException e) {
        if (attempt == TRIES) {
          throw e;
        }
        pause(attempt);
      }
    }
  }

  /**
   * Adds to a value, again from the start while another writer is faster. All additions to a key
   * start at its first replica, whatever the writer's zone, so that no addition overwrites another.
   * When the first replica does not answer, nothing can be added.
   *
   * @param more returns the new value, for the value before
   * @return the version that was written
   * @throws ServingException {@code SIBLINGS} when the key has several values, of which none may be
   *     dropped; nothing was written
   * @throws ObsoleteVersionException when other writers were faster 20 times; nothing was written
   * @throws PutOutcomeUnknownException when too few replicas said that they have stored it
   * @throws StoreUnavailableException when the first replica cannot be reached, or too few answered
   *     the read; nothing was written
   */
  public VersionedValue append(Bytes key, Function<Optional<Bytes>, Bytes> more) {
    for (int attempt = 1; ; attempt++) {
      SiblingRead seen = see(key);
      List<VersionedValue> siblings = seen.siblings();
      if (siblings.stream().map(VersionedValue::value).distinct().count() > 1) {
        throw new ServingException(
            ErrorCode.SIBLINGS,
            "A tuple of store "
                + store
                + " has "
                + siblings.size()
                + " values, of writers that could not know of each other. Read them all, write what"
                + " is to stand in their place, then add to it.");
      }
      Optional<Bytes> before = siblings.isEmpty() ? Optional.empty() : siblings.get(0).value();
      Optional<Bytes> value = Optional.of(more.apply(before));
      TupleLimits.check(key, value);
      ReplicaWrite write = write(key).atFirstReplica();
      try {
        return run(write, key, seen.basis(), seen.life(), value);
      } catch (ObsoleteVersionException e) {
        if (write.isDoubtful()) {
          throw write.unknown();
        }
        if (attempt == TRIES) {
          throw e;
        }
        pause(attempt);
      }
    }
  }

  private StoreDefinition definition(Topology now) {
    StoreDefinition definition = now.store(store);
    if (definition == null || !definition.writable()) {
      throw new IllegalArgumentException(
          "The cluster has no read-write store '" + store + "'. Make one: braid store create.");
    }
    return definition;
  }

  private static int partition(Topology now, StoreDefinition definition, Bytes key) {
    return new Placement(now.ring().partitions(), 1).partition(definition.hash().of(key.toArray()));
  }

  /** The replicas of a key, in an order that is the same for all clients. */
  private static List<Node> inOrder(Topology now, StoreDefinition definition, Bytes key) {
    return definition.routing(now.ring()).nodes(partition(now, definition, key));
  }

  /** The replicas of a key: the near ones first, suspects last. */
  private List<Node> replicas(Topology now, StoreDefinition definition, Bytes key) {
    List<Node> near =
        definition.routing(now.ring()).nearest(partition(now, definition, key), now.order(zone));
    List<Node> ordered = new ArrayList<>();
    near.stream().filter(node -> failures.isAvailable(node.id())).forEach(ordered::add);
    near.stream().filter(node -> !ordered.contains(node)).forEach(ordered::add);
    return ordered;
  }
}
