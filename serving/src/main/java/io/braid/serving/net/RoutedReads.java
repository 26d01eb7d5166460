package io.braid.serving.net;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.Seams;
import io.braid.http.AnswerMemory;
import io.braid.http.RemoteCallKind;
import io.braid.serving.ServingException;
import io.braid.serving.chunk.Compression;
import io.braid.serving.client.StoreClient;
import io.braid.serving.client.Values;
import io.braid.serving.client.ValuesTooLongException;
import io.braid.serving.node.Lease;
import io.braid.serving.node.Membership;
import io.braid.serving.node.ServedStore;
import io.braid.serving.ring.Node;
import io.braid.serving.transform.Part;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Routing on the server's side (section 3.1.2): what this node holds it reads, for anything else it
 * asks the nodes that have it, as a client would. For callers that know nothing of rings.
 */
public final class RoutedReads {
  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  /** How often a value is in memory until it is on the way: as it was read, and as it is sent. */
  private static final int COPIES = 2;

  private final Seams seams;
  private final NodeService service;
  private volatile @Nullable StoreClient client;

  public RoutedReads(Seams seams, NodeService service) {
    this.seams = seams;
    this.service = service;
  }

  public Optional<Bytes> get(String store, Bytes key) throws IOException {
    return read(store, List.of(key)).values().get(0);
  }

  /** All of one version. */
  public Values read(String store, List<Bytes> keys) throws IOException {
    try {
      return here(store, keys, 0);
    } catch (ServingException e) {
      if (!isElsewhere(e)) {
        throw e;
      }
      Membership member = service.cluster().membership().orElseThrow(() -> e);
      Values values = RemoteCallKind.NODES.during(() -> client(member).read(store, keys));
      Budget budget = new Budget(store, keys.size());
      values.values().forEach(value -> value.ifPresent(found -> budget.take(found.length())));
      return values;
    }
  }

  /** Whether another node may have what this one refuses to read. */
  public static boolean isElsewhere(ServingException refusal) {
    return switch (refusal.code()) {
      case WRONG_NODE, NO_SUCH_STORE, STORE_BEHIND -> true;
      default -> false;
    };
  }

  /**
   * Reads at this node alone.
   *
   * @param version 0: the live one
   */
  Values here(String name, List<Bytes> keys, long version) throws IOException {
    try (Lease lease = lease(name, version)) {
      return values(name, lease, keys, lease::plain);
    }
  }

  /** Values that were read at this node, packed as they are in its files. */
  record PackedValues(Compression compression, Values values) {}

  PackedValues packed(String name, List<Bytes> keys, long version) throws IOException {
    try (Lease lease = lease(name, version)) {
      return new PackedValues(lease.compression(), values(name, lease, keys, Lease::copied));
    }
  }

  /** A part of each value, which must be unpacked for that. */
  PackedValues parts(String name, List<Bytes> keys, long version, Part part) throws IOException {
    try (Lease lease = lease(name, version)) {
      return new PackedValues(
          Compression.NONE, values(name, lease, keys, stored -> part.of(lease.plain(stored))));
    }
  }

  private Lease lease(String name, long version) throws IOException {
    ServedStore store = service.readable(name);
    return version == 0 ? store.lease() : store.lease(version);
  }

  /**
   * @param take makes the result from a value as it is in the file; only this brings the value into
   *     memory
   */
  private static Values values(
      String name, Lease lease, List<Bytes> keys, Function<ByteBuffer, Bytes> take) {
    Budget budget = new Budget(name, keys.size());
    List<Optional<Bytes>> values = new ArrayList<>(keys.size());
    for (Bytes key : keys) {
      byte[] array = key.toArray();
      ByteBuffer stored = lease.stored(array, 0, array.length);
      if (stored == null) {
        values.add(Optional.empty());
        continue;
      }
      budget.take(lease.compression().length(stored));
      values.add(Optional.of(take.apply(stored)));
    }
    return new Values(lease.version(), lease.schema(), values);
  }

  /** How long the values of one answer may be. */
  private static final class Budget {
    private final String store;
    private final int keys;
    private long taken;

    Budget(String store, int keys) {
      this.store = store;
      this.keys = keys;
    }

    void take(int more) {
      taken += more;
      if (taken > HttpReads.MOST_BYTES) {
        throw new ValuesTooLongException(
            keys == 1
                ? "The value has "
                    + taken
                    + " bytes: only a node that holds it answers it, to GET over HTTP or Redis."
                    + " Build store "
                    + store
                    + " again without it."
                : "The values of these keys of store "
                    + store
                    + " have more than "
                    + HttpReads.MOST_BYTES
                    + " bytes: ask for fewer keys.");
      }
      AnswerMemory.take(more, COPIES);
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
