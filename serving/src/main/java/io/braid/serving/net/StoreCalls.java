package io.braid.serving.net;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.Seams;
import io.braid.serving.StoreNames;
import io.braid.serving.client.Values;
import io.braid.serving.node.LiveVersion;
import io.braid.serving.node.StoreVersions;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Calls to a node's stores by other means than HTTP. The caller checks who may ask. Changes are
 * refused while a push has a lease on the store.
 */
public final class StoreCalls {
  private final NodeService service;
  private final RoutedReads routed;

  public StoreCalls(Seams seams, NodeService service) {
    this.service = service;
    this.routed = new RoutedReads(seams, service);
  }

  /** The names of the stores, sorted. */
  public List<String> stores() {
    return service.stores();
  }

  /** The live version of a store; 0 when there is none. */
  public long live(String store) {
    return service.live(store);
  }

  /** Values of keys, all of one version; what another node holds is asked for there. */
  public Values read(String store, List<Bytes> keys) throws IOException {
    if (keys.size() > Wire.MOST_KEYS) {
      throw new IllegalArgumentException("Ask for at most " + Wire.MOST_KEYS + " keys at once.");
    }
    return routed.read(StoreNames.store(store), keys);
  }

  /** The versions of a store that is here. */
  public StoreVersions versions(String store) {
    return service.store(store).versions();
  }

  /**
   * Begins to fetch a version.
   *
   * @param version 0: the next
   * @return the version
   */
  public long fetch(String store, String from, long version) throws IOException {
    service.leases().check(StoreNames.store(store), "");
    return service.startFetch(store, from, version);
  }

  /** How far the last fetch is. */
  public FetchJob fetched(String store) {
    return service.fetch(store);
  }

  /**
   * Makes a version live.
   *
   * @param flips how often the live version had changed when this was asked for; -1: however often
   */
  public void swap(String store, long version, boolean force, long flips) throws IOException {
    service.leases().check(StoreNames.store(store), "");
    service.swap(store, version, force, "", flips, Optional.empty());
  }

  /**
   * Makes a version live that was so before.
   *
   * @param version 0: the last one
   * @param seen what was live when this was asked for
   * @return which it is
   */
  public long rollBack(String store, long version, LiveVersion seen) throws IOException {
    return service.rollBack(store, version, seen);
  }

  /** Keeps a version from being deleted, or lets it go. */
  public void pin(String store, long version, boolean on) throws IOException {
    versions(store).pin(StoreNames.version(version), on);
  }
}
