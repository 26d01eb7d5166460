package io.braid.serving.net;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.Seams;
import io.braid.serving.ServingException;
import io.braid.serving.StoreNames;
import io.braid.serving.build.BadManifestException;
import io.braid.serving.chunk.Search;
import io.braid.serving.fetch.Peers;
import io.braid.serving.files.Throttle;
import io.braid.serving.node.CanaryPlan;
import io.braid.serving.node.CanaryReport;
import io.braid.serving.node.LiveVersion;
import io.braid.serving.node.MissedPush;
import io.braid.serving.node.NodeDirectory;
import io.braid.serving.node.Rollback;
import io.braid.serving.node.ServedStore;
import io.braid.serving.node.StoreVersions;
import io.braid.serving.rebalance.StolenVersion;
import io.braid.serving.ring.Topology;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node that serves the stores in its directory, and fetches, swaps and rolls back on request
 * (section 4.3). Reading a store takes no lock. Only one change to a store runs at a time.
 */
public final class NodeService implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeService.class);

  private final Seams seams;
  private final NodeDirectory node;
  private final Options options;
  private final ConcurrentMap<String, ServedStore> stores = new ConcurrentHashMap<>();
  private final Throttle throttle;
  private final Fetches fetches;
  private final ClusterMember cluster;
  private final PushLeases leases;
  private final NodeMoves moves;
  private final PushLeases rebalances;
  private final CatchUp catchUp;
  private final OldVersions deletions;

  /**
   * How a node behaves. {@link #defaults} begins.
   *
   * @param search in sorted indexes
   * @param fetchRate bytes a second of all fetches together, and of what is read through before it
   *     goes live; 0: no limit
   * @param deleteRate bytes a second that files which are not needed any more are deleted at
   * @param backups versions that were live to keep
   * @param fetches at a time
   */
  public record Options(Search search, long fetchRate, long deleteRate, int backups, int fetches) {
    public Options {
      if (backups < 1 || fetches < 1 || fetchRate < 0 || deleteRate < 1) {
        throw new IllegalArgumentException(
            "A node keeps at least one backup and runs at least one fetch; rates are positive.");
      }
    }

    /** Fetches without a limit, two at a time; deletes 200 MiB a second; keeps two backups. */
    public static Options defaults() {
      return new Options(Search.BINARY, 0, 200L << 20, 2, 2);
    }
  }

  /**
   * Serves what is live in a directory, and goes on with what a crash has left there.
   *
   * @param node owned by this process; the caller closes it after this
   */
  public NodeService(Seams seams, NodeDirectory node, Options options) throws IOException {
    this(seams, node, options, new HttpNodes(Duration.ofSeconds(2))::missed);
  }

  /**
   * @param peers how the other nodes of its cluster are asked what this one missed
   */
  public NodeService(Seams seams, NodeDirectory node, Options options, MissedPushes peers)
      throws IOException {
    this.seams = seams;
    this.node = node;
    this.options = options;
    this.cluster = new ClusterMember(node);
    this.throttle = new Throttle(seams, options.fetchRate());
    this.fetches = new Fetches(seams, options.fetches(), throttle);
    this.leases = new PushLeases(seams, "Push ");
    this.rebalances = new PushLeases(seams, "Run ");
    this.moves = new NodeMoves(seams, node, this);
    for (String name : node.stores()) {
      if (StoreNames.isStore(name)) {
        stores.put(name, open(name));
      }
    }
    this.catchUp = new CatchUp(seams, this, peers);
    this.deletions =
        new OldVersions(
            seams, stores.values(), node.trash(), options, () -> moves.state().isPresent());
  }

  /** A store whose live version is broken answers nothing until another one is swapped in. */
  private ServedStore open(String name) throws IOException {
    StoreVersions versions = node.store(name);
    try {
      return ServedStore.open(versions, options.search(), throttle);
    } catch (BadManifestException e) {
      return silent(versions, e);
    } catch (ServingException e) {
      if (e.code() != ErrorCode.VERSION_REFUSED && e.code() != ErrorCode.DAMAGED) {
        throw e;
      }
      return silent(versions, e);
    }
  }

  private ServedStore silent(StoreVersions versions, BraidException why) {
    String damage = String.valueOf(why.getMessage());
    LOG.error("Store {} is not served: {}", versions.store(), damage);
    return ServedStore.silent(versions, options.search(), throttle, damage);
  }

  /** Returns this node's view of its cluster. */
  public ClusterMember cluster() {
    return cluster;
  }

  /** The directory of this node. */
  Path directory() {
    return node.path();
  }

  /** The versions of a store on disk, also when there is none yet. */
  StoreVersions versions(String name) {
    return node.store(name);
  }

  /** Which push may change which store. */
  PushLeases leases() {
    return leases;
  }

  /** Which rebalancing may move partitions. */
  PushLeases rebalances() {
    return rebalances;
  }

  /** This node's part in moving partitions. */
  public NodeMoves moves() {
    return moves;
  }

  /** Returns the rate that everything that comes in from elsewhere shares. */
  Throttle throttle() {
    return throttle;
  }

  boolean isFetching() {
    return fetches.isAnyRunning();
  }

  /** Serves a version that has got partitions from other nodes, or has come with them. */
  void merged(StolenVersion come) throws IOException {
    ServedStore store = opened(come.store());
    Rollback why = come.rolledBack().get(come.version());
    if (why != null) {
      store.versions().mark(come.version(), why);
    }
    store.remap(come.version());
    List<Long> served = come.served();
    if (served.isEmpty() || come.version() == served.get(served.size() - 1)) {
      store.adopt(served);
    }
  }

  /** Takes a store away that came with a move that was given up. */
  void drop(String name) throws IOException {
    ServedStore store = stores.remove(name);
    if (store != null) {
      store.close();
    }
    node.drop(name);
  }

  /** The live version of a store; 0 when there is none. */
  public long live(String name) {
    ServedStore store = stores.get(name);
    return store == null ? 0 : store.version();
  }

  /**
   * A store to read from.
   *
   * @throws ServingException {@code STORE_BEHIND} when it misses a version that the others have
   */
  public ServedStore readable(String name) {
    catchUp.check(name);
    return store(name);
  }

  /** Returns which nodes missed the last pushes, by store. */
  Map<String, MissedPush> missed() throws IOException {
    Map<String, MissedPush> missed = new TreeMap<>();
    for (ServedStore store : stores.values()) {
      store.versions().missed().ifPresent(m -> missed.put(store.versions().store(), m));
    }
    return missed;
  }

  /**
   * Returns the topology for a client that bootstraps here; empty when this node is in no cluster.
   */
  public Optional<Topology> topology() {
    return cluster.view(stores.values());
  }

  /** The names of the stores, sorted. */
  public List<String> stores() {
    return stores.keySet().stream().sorted().toList();
  }

  /**
   * A store that is here.
   *
   * @throws ServingException {@code NO_SUCH_STORE} when there is none with this name
   */
  public ServedStore store(String name) {
    ServedStore store = stores.get(name);
    if (store == null) {
      throw ServingException.noStoreHere(name);
    }
    return store;
  }

  /**
   * Starts to fetch a version, unless that is under way from there already, as when a push that
   * broke off is repeated; {@link #fetch fetch} tells how far it is.
   *
   * @param from a directory, an http address, or one that Hadoop's client knows, of a folder that
   *     was built
   * @param version 0: the next
   * @return the version
   */
  public long startFetch(String name, String from, long version) throws IOException {
    return startFetch(name, from, version, false);
  }

  /**
   * As {@link #startFetch(String, String, long)}; what another node of this one's zone brings in as
   * well is copied from there.
   *
   * @param peers whether to; this node must be in a cluster then
   */
  public long startFetch(String name, String from, long version, boolean peers) throws IOException {
    return startFetch(
        name,
        from,
        version,
        number -> peers ? ZonePeers.bringing(cluster.member(), name, number) : Peers.NONE);
  }

  /**
   * Starts to fetch what a push brought to others and not to here; if it was to go from node to
   * node, files that another node of this one's zone has are copied from there.
   */
  void startCatchUp(String name, String from, MissedPush missed) throws IOException {
    ServedStore store = stores.get(name);
    if (store != null) {
      store.versions().refuseTakenBack(missed.version());
    }
    startFetch(
        name,
        from,
        missed.version(),
        number -> missed.peers() ? ZonePeers.having(cluster.member(), name, missed) : Peers.NONE);
  }

  private long startFetch(String name, String from, long version, LongFunction<Peers> peers)
      throws IOException {
    StoreNames.store(name);
    try (NodeMoves.Change change = moves.change()) {
      return fetches.start(node.store(name), from, version, peers);
    }
  }

  /**
   * How far the last fetch of a store is.
   *
   * @throws ServingException {@code NO_SUCH_STORE} when there was none
   */
  public FetchJob fetch(String name) {
    return fetches.of(name);
  }

  /**
   * Where a file of a version is: in the version's directory, or, when it has come in whole while
   * the version is fetched, in that of the fetch.
   */
  Path file(String name, long version, String file) {
    return fetches.file(node.store(name), version, file);
  }

  /** Makes a version ready to go live; as {@link ServedStore#prepare ServedStore.prepare}. */
  public void prepare(String name, long version, boolean force) throws IOException {
    try (NodeMoves.Change change = moves.change()) {
      ServedStore store = opened(name);
      cluster.admit(store.versions().whole(StoreNames.version(version)));
      store.prepare(version, force);
    }
  }

  /**
   * As {@link #prepare prepare}, of a version that others have live; one taken back here stays so.
   */
  void prepareAgain(String name, long version) throws IOException {
    try (NodeMoves.Change change = moves.change()) {
      ServedStore store = opened(name);
      cluster.admit(store.versions().whole(StoreNames.version(version)));
      store.prepareAgain(version);
    }
  }

  /** Makes a version live that others have live, unless it was rolled back here meanwhile. */
  void swapAgain(String name, long version) throws IOException {
    try (NodeMoves.Change change = moves.change()) {
      ServedStore store = opened(name);
      store.swap(
          version, true, "", Optional.empty(), () -> store.versions().refuseTakenBack(version));
    }
  }

  /** Tries a prepared version out on reads of the live one. */
  public CanaryReport canary(String name, long version, CanaryPlan plan) throws IOException {
    try (NodeMoves.Change change = moves.change()) {
      return opened(name).canary(StoreNames.version(version), plan);
    }
  }

  /** Makes a version live; as {@link ServedStore#swap(long, boolean)}. */
  public void swap(String name, long version, boolean force) throws IOException {
    swap(name, version, force, "", -1, Optional.empty());
  }

  /**
   * Makes a version live, as a part of a push, which must have its lease until then.
   *
   * @param flips how often the live version had changed before; -1: however often
   */
  void swap(
      String name,
      long version,
      boolean force,
      String push,
      long flips,
      Optional<MissedPush> missed)
      throws IOException {
    try (NodeMoves.Change change = moves.change()) {
      ServedStore store = opened(name);
      if (!store.isPrepared(StoreNames.version(version))) {
        cluster.admit(store.versions().whole(version));
      }
      store.swap(version, force, push, missed, () -> allow(store, push, flips));
    }
  }

  /**
   * Checks the conditions of a swap when no other change can come between any more. The check that
   * nothing has changed since the push looked keeps the swap apart from other pushes and from
   * version rollbacks. The check of the lease tells a push that lost its lease the reason, and
   * keeps two such pushes from undoing each other. Correctness does not depend on the lease.
   */
  private void allow(ServedStore store, String push, long flips) throws IOException {
    if (!push.isEmpty()) {
      leases.check(store.versions().store(), push);
    }
    store.versions().requireUnchanged(new LiveVersion(0, flips));
  }

  /**
   * Goes back to a version that was live before. A push of the store that is running is ended by
   * that: it would make live on some nodes what is just rolled back on others.
   *
   * @param version 0: the last one
   * @param seen what was live when this was asked for
   */
  public long rollBack(String name, long version, LiveVersion seen) throws IOException {
    try (NodeMoves.Change change = moves.change()) {
      ServedStore store = store(name);
      if (version == 0 || version != store.version()) {
        cluster.refuseGaps(store.versions(), version);
      }
      return store.rollBack(version, seen, () -> leases.revoke(name, store.versions()::end));
    }
  }

  /**
   * Takes a version back that should not have gone live; nothing changes if it did not. Refused
   * while partitions move, as a rollback is: other nodes get the live version from here, and would
   * keep a version that was taken back. Only a push that has lost its lease comes that late, and it
   * reports where its version may be live.
   *
   * @param flips how often the live version had changed before it did; -1: any number of times
   */
  public long takeBack(String name, long version, long flips) throws IOException {
    try (NodeMoves.Change change = moves.change()) {
      ServedStore store = store(name);
      if (StoreNames.version(version) == store.version() && store.versions().served().size() > 1) {
        cluster.refuseGaps(store.versions(), 0);
      }
      return store.takeBack(version, flips);
    }
  }

  /** Opens a store that was fetched for the first time. */
  private ServedStore opened(String name) throws IOException {
    ServedStore store = stores.get(StoreNames.store(name));
    if (store == null) {
      ServedStore fresh = open(name);
      ServedStore other = stores.putIfAbsent(name, fresh);
      if (other == null) {
        return fresh;
      }
      fresh.close();
      return other;
    }
    return store;
  }

  @Override
  public void close() {
    moves.close();
    catchUp.close();
    fetches.stop();
    deletions.close();
    stores.values().forEach(ServedStore::close);
  }
}
