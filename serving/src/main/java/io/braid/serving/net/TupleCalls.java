package io.braid.serving.net;

import io.braid.core.data.Bytes;
import io.braid.serving.ServingException;
import io.braid.serving.StoreNames;
import io.braid.serving.client.ValuesTooLongException;
import io.braid.serving.transform.Part;
import io.braid.serving.transform.Transform;
import io.braid.serving.writable.VectorClock;
import io.braid.serving.writable.VersionedValue;
import io.braid.serving.writable.WritableStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Calls to a cluster's read-write stores at one of its nodes, which asks the replicas (section
 * 3.1.2, routing on the server's side). The caller checks who may ask.
 */
public final class TupleCalls {
  private final WritableStores stores;

  TupleCalls(WritableStores stores) {
    this.stores = stores;
  }

  /**
   * The siblings of keys, in the order of the keys; deleted ones too, none where nothing was
   * written.
   *
   * @param part of each value; null: all of it
   * @throws ServingException {@code NO_SUCH_STORE} when the cluster has no such read-write store
   * @throws io.braid.serving.client.StoreUnavailableException when fewer replicas answered than are
   *     required: try again
   */
  public List<List<VersionedValue>> read(String store, List<Bytes> keys, @Nullable Part part) {
    if (keys.size() > Wire.MOST_KEYS) {
      throw new IllegalArgumentException("Ask for at most " + Wire.MOST_KEYS + " keys at once.");
    }
    WritableStore routed = routed(store);
    List<List<VersionedValue>> tuples = new ArrayList<>(keys.size());
    long bytes = 0;
    for (Bytes key : keys) {
      List<VersionedValue> siblings = routed.siblings(key).stream().map(s -> cut(s, part)).toList();
      for (VersionedValue sibling : siblings) {
        bytes += sibling.value().map(Bytes::length).orElse(0);
      }
      if (bytes > HttpReads.MOST_BYTES) {
        throw new ValuesTooLongException("The values are too long: ask for fewer keys.");
      }
      tuples.add(siblings);
    }
    return tuples;
  }

  private static VersionedValue cut(VersionedValue sibling, @Nullable Part part) {
    return part == null
        ? sibling
        : new VersionedValue(
            sibling.clock(), sibling.millis(), sibling.value().map(part::of), sibling.write());
  }

  /**
   * Writes a tuple.
   *
   * @param basis the clock that the writer has seen; null: overwrites any value
   * @param value none: deletes
   * @return the new clock of the tuple
   * @throws io.braid.serving.writable.ObsoleteVersionException when there was another write since
   * @throws io.braid.serving.writable.PutOutcomeUnknownException when too few replicas answered
   */
  public VectorClock write(
      String store, Bytes key, @Nullable VectorClock basis, Optional<Bytes> value) {
    WritableStore routed = routed(store);
    return basis == null ? routed.write(key, value).clock() : routed.put(key, basis, value).clock();
  }

  /**
   * Adds to the value of a tuple, and never overwrites a concurrent change. Throws as {@link
   * WritableStore#append WritableStore.append} does.
   */
  public VectorClock append(String store, Bytes key, Transform transform, Bytes more) {
    return routed(store).append(key, before -> transform.append(before, more)).clock();
  }

  /** Delivers hints now; answers how many. */
  public int pushHints() {
    return stores.pushHints();
  }

  private WritableStore routed(String store) {
    return stores.routed(StoreNames.store(store));
  }
}
