package io.braid.serving.net;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.Seams;
import io.braid.http.HttpRefusal;
import io.braid.serving.chunk.Compression;
import io.braid.serving.client.StoreClient;
import io.braid.serving.client.Values;
import io.braid.serving.node.Lease;
import io.braid.serving.node.Membership;
import io.braid.serving.node.NotHeldException;
import io.braid.serving.node.ServedStore;
import io.braid.serving.ring.Node;
import io.braid.serving.transform.Part;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Routing on the server's side (section 3.1.2): what this node holds it reads, for anything else it
 * asks the nodes that have it, as a client would. For callers that know nothing of rings.
 */
final class RoutedReads {
  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  private final Seams seams;
  private final NodeService service;
  private volatile @Nullable StoreClient client;

  RoutedReads(Seams seams, NodeService service) {
    this.seams = seams;
    this.service = service;
  }

  Optional<Bytes> get(String store, Bytes key) throws IOException {
    return read(store, List.of(key)).values().get(0);
  }

  /** All of one version. */
  Values read(String store, List<Bytes> keys) throws IOException {
    try {
      return here(store, keys, 0);
    } catch (NotHeldException | UnknownStoreException | StoreBehindException e) {
      Membership member = service.cluster().membership().orElseThrow(() -> e);
      return client(member).read(store, keys);
    }
  }

  /**
   * Reads at this node alone.
   *
   * @param version 0: the live one
   */
  Values here(String name, List<Bytes> keys, long version) throws IOException {
    return here(name, keys, version, Lease::get).values();
  }

  /** What is read at this node, packed as it stands in its files. */
  record Packed(Compression compression, Values values) {
    /** A part of each value, which must be unpacked for that. */
    Packed part(Part part) {
      List<Optional<Bytes>> parts =
          values.values().stream()
              .map(value -> value.map(compression::unpack).map(part::of))
              .toList();
      return new Packed(Compression.NONE, new Values(values.version(), values.schema(), parts));
    }
  }

  Packed packed(String name, List<Bytes> keys, long version) throws IOException {
    return here(name, keys, version, Lease::packed);
  }

  private Packed here(
      String name, List<Bytes> keys, long version, BiFunction<Lease, Bytes, Optional<Bytes>> get)
      throws IOException {
    ServedStore store = service.readable(name);
    try (Lease lease = version == 0 ? store.lease() : store.lease(version)) {
      List<Optional<Bytes>> values = new ArrayList<>(keys.size());
      long bytes = 0;
      for (Bytes key : keys) {
        Optional<Bytes> value = get.apply(lease, key);
        bytes += value.map(Bytes::length).orElse(0);
        if (bytes > HttpReads.MOST_BYTES) {
          throw new HttpRefusal(413, "too long", "The values are too long: ask for fewer keys.");
        }
        values.add(value);
      }
      return new Packed(lease.compression(), new Values(lease.version(), lease.schema(), values));
    }
  }

  private StoreClient client(Membership member) {
    StoreClient known = client;
    if (known == null) {
      List<String> nodes =
          member.topology().ring().nodes().stream()
              .map(Node::address)
              .filter(address -> !address.isEmpty())
              .toList();
      int zone = member.topology().ring().node(member.self()).zone();
      known = new StoreClient(seams, new HttpNodes(TIMEOUT), nodes, zone);
      client = known;
    }
    return known;
  }
}
