package io.braid.serving.net;

import io.braid.core.data.Bytes;
import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.Seams;
import io.braid.serving.ServingException;
import io.braid.serving.StoreNames;
import io.braid.serving.chunk.Compression;
import io.braid.serving.client.ReadAnswer;
import io.braid.serving.client.ReadRequest;
import io.braid.serving.client.Values;
import io.braid.serving.node.CanaryPlan;
import io.braid.serving.node.CanaryReport;
import io.braid.serving.node.LiveVersion;
import io.braid.serving.node.Membership;
import io.braid.serving.node.MissedPush;
import io.braid.serving.node.StoreVersions;
import io.braid.serving.push.PushNode;
import io.braid.serving.transform.Part;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Answers the requests of others to a node that takes part in pushes and routed reads, over any
 * transport. The steps of a push need its lease. The other end has the same interface, as {@link
 * HttpNode}.
 */
public final class NodeEndpoint implements PushNode {
  private final NodeService service;
  private final RoutedReads reads;

  public NodeEndpoint(Seams seams, NodeService service) {
    this.service = service;
    this.reads = new RoutedReads(seams, service);
  }

  @Override
  public int id() {
    return service.cluster().membership().map(Membership::self).orElse(0);
  }

  @Override
  public String name() {
    return "node-" + id();
  }

  @Override
  public void lease(String store, String push, Duration length) throws IOException {
    StoreNames.store(store);
    service.moves().refuse();
    StoreVersions versions = service.versions(store);
    service.leases().take(store, push, length, () -> versions.refuseEnded(push));
  }

  @Override
  public void release(String store, String push) {
    service.leases().release(store, push);
  }

  @Override
  public State state(String store, String push) throws IOException {
    StoreVersions versions = service.versions(store);
    LiveVersion seen = versions.seen();
    boolean alone = service.cluster().membership().isEmpty();
    return new State(versions.next(), seen.live(), seen.flips(), versions.pushed(push), alone);
  }

  @Override
  public void fetch(String store, String push, String from, long version, boolean peers)
      throws IOException {
    begin(store, push, from, version, peers);
  }

  /** As {@link #fetch fetch}; answers the version, which is the next one if none was named. */
  long begin(String store, String push, String from, long version, boolean peers)
      throws IOException {
    service.leases().check(store, push);
    return service.startFetch(store, from, version, peers);
  }

  @Override
  public Progress progress(String store) {
    FetchJob job = service.fetch(store);
    return new Progress(
        job.version(), job.from(), job.fetched(), job.total(), job.ended(), job.problem());
  }

  @Override
  public void prepare(String store, String push, long version, boolean force) throws IOException {
    service.leases().check(store, push);
    service.prepare(store, version, force);
  }

  @Override
  public CanaryReport canary(String store, String push, long version, CanaryPlan plan)
      throws IOException {
    service.leases().check(store, push);
    return service.canary(store, version, plan);
  }

  @Override
  public void swap(
      String store,
      String push,
      long version,
      boolean force,
      long flips,
      Optional<MissedPush> missed)
      throws IOException {
    service.leases().check(store, push);
    service.swap(store, version, force, push, flips, missed);
  }

  @Override
  public void confirm(String store, String push) throws IOException {
    service.store(store).versions().confirm(push);
  }

  @Override
  public void takeBack(String store, long version, long flips) throws IOException {
    service.takeBack(store, version, flips);
  }

  /**
   * Goes back to a version that was live before.
   *
   * @param version 0: the last one
   * @param seen what was live when this was asked for, and how often that had changed here
   * @return which it is
   */
  public long rollBack(String store, long version, LiveVersion seen) throws IOException {
    return service.rollBack(store, version, seen);
  }

  /** Returns the live version, and how often it has changed. */
  LiveVersion seen(String store) throws IOException {
    return service.versions(store).seen();
  }

  /** Keeps a version from being deleted, or lets it go again. */
  public void pin(String store, long version, boolean pin) throws IOException {
    service.store(store).versions().pin(version, pin);
  }

  /** Returns which nodes missed the last pushes, by store. */
  public Map<String, MissedPush> missed() throws IOException {
    return service.missed();
  }

  /**
   * Reads keys at this node alone, all in one version.
   *
   * @throws ServingException {@code VERSION_GONE} when it cannot read in the version that was asked
   *     for
   * @throws ServingException {@code WRONG_NODE} when it does not hold one of them
   */
  public ReadAnswer read(ReadRequest request) throws IOException {
    RoutedReads.PackedValues packed =
        packed(request.store(), request.keys(), request.version(), request.part());
    Compression compression = packed.compression();
    Values values = packed.values();
    return new ReadAnswer(
        values.version(),
        values.schema(),
        service.cluster().version(),
        values.values().stream().map(value -> value.map(compression::unpack)).toList());
  }

  /** Reads as {@link #read read} does. Whole values stay packed as they are in the files. */
  RoutedReads.PackedValues packed(String store, List<Bytes> keys, long version, Optional<Part> part)
      throws IOException {
    try {
      return part.isPresent()
          ? reads.parts(store, keys, version, part.get())
          : reads.packed(store, keys, version);
    } catch (ServingException e) {
      if (e.code() != ErrorCode.VERSION_REFUSED) {
        throw e;
      }
      throw new ServingException(ErrorCode.VERSION_GONE, String.valueOf(e.getMessage()));
    }
  }

  RoutedReads reads() {
    return reads;
  }
}
