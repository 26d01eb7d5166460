package io.braid.serving.net;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;
import io.braid.core.runtime.Task;
import io.braid.serving.node.Membership;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.ring.Topology;
import io.braid.serving.writable.Engine;
import io.braid.serving.writable.Hint;
import io.braid.serving.writable.HintPusher;
import io.braid.serving.writable.ReplicaNetwork;
import io.braid.serving.writable.Versioned;
import io.braid.serving.writable.WritableStore;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The read-write stores of a node: an engine for each that the topology names, one for hints, and
 * the duty that delivers these.
 */
public final class WritableStores implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WritableStores.class);
  private static final String SLOP = "slop";
  private static final Duration PERIOD = Duration.ofSeconds(5);
  private static final Duration BETWEEN = Duration.ofMillis(1);

  private final Seams seams;
  private final NodeService service;
  private final Function<String, Engine> engines;
  private final ReplicaNetwork network;
  private final ConcurrentMap<String, Engine> open = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, WritableStore> routed = new ConcurrentHashMap<>();
  private final Signal end;
  private final Task pusher;
  private volatile boolean closed;

  /**
   * @param engines opens the engine of a store
   * @param network to the other nodes
   */
  public WritableStores(
      Seams seams, NodeService service, Function<String, Engine> engines, ReplicaNetwork network) {
    this.seams = seams;
    this.service = service;
    this.engines = engines;
    this.network = network;
    this.end = seams.signal();
    this.pusher = seams.start("push-hints", this::pushNowAndThen);
  }

  private Membership member() {
    return service
        .cluster()
        .membership()
        .orElseThrow(
            () -> new IllegalArgumentException("This node is in no cluster: braid cluster init."));
  }

  /** Whether the topology names a read-write store. */
  boolean has(String store) {
    Optional<Membership> member = service.cluster().membership();
    if (member.isEmpty()) {
      return false;
    }
    StoreDefinition definition = member.get().topology().store(store);
    return definition != null && definition.writable();
  }

  /** The engine of a store on this node. */
  Engine engine(String store) {
    if (!has(store)) {
      throw new UnknownStoreException(store);
    }
    return open.computeIfAbsent("store_" + store, engines);
  }

  /** A store as clients see it, for those that do not route by themselves. */
  WritableStore routed(String store) {
    if (!has(store)) {
      throw new UnknownStoreException(store);
    }
    return routed.computeIfAbsent(
        store,
        name -> {
          Membership member = member();
          int zone = member.topology().ring().node(member.self()).zone();
          return new WritableStore(seams, network, () -> member().topology(), name, zone);
        });
  }

  /** Writes at this replica as the first one. */
  boolean putFirst(String store, Bytes key, Versioned fresh) {
    return engine(store).putFirst(key, fresh, member().self());
  }

  /** Keeps a write that another node missed. */
  void keep(Hint hint, Versioned missed) {
    HintPusher.keep(slop(), hint, missed);
  }

  private Engine slop() {
    return open.computeIfAbsent(SLOP, engines);
  }

  /** Delivers hints now; answers how many. */
  int pushHints() {
    Topology topology = member().topology();
    return new HintPusher(seams, slop(), network, BETWEEN).push(topology);
  }

  private void pushNowAndThen() {
    while (!closed) {
      end.await(PERIOD);
      if (!closed && service.cluster().version() > 0) {
        try {
          pushHints();
        } catch (RuntimeException e) {
          LOG.warn("Hints cannot be delivered now.", e);
        }
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    end.raise();
    pusher.join(Duration.ofSeconds(10));
  }
}
