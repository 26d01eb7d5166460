package io.braid.serving.client;

import io.braid.core.data.Bytes;
import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.Seams;
import io.braid.serving.ServingException;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.ring.Topology;
import io.braid.serving.transform.Part;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Reads the stores of a cluster, routing by itself (section 3.1.2): a key is asked for at a node
 * that holds it, in the own zone first, and at the next replica when that one fails. Several keys
 * are grouped by node and always read in one version of the store, also while another one is
 * swapped in.
 *
 * <pre>{@code
 * StoreClient client =
 *     new StoreClient(seams, new HttpNodes(Duration.ofSeconds(2)), List.of("http://one:7811"), 0);
 * Optional<Bytes> value = client.get("people", Bytes.of("17"));
 * }</pre>
 *
 * <p>All reads throw {@link ServingException} {@code NO_SUCH_STORE} when the cluster serves no such
 * store, and {@link StoreUnavailableException} when no replica of some key could answer: try again
 * later. For many threads.
 */
@API(status = API.Status.EXPERIMENTAL)
public final class StoreClient {
  private static final int TRIES = 10;
  private static final Duration BETWEEN = Duration.ofMillis(5);

  private final Seams seams;
  private final NodeNetwork network;
  private final ClusterMap cluster;
  private final FailureDetector failures;
  private final int zone;

  /**
   * @param seams clock, threads and waits: a {@code SystemSeams}
   * @param network how nodes are asked: {@code HttpNodes}
   * @param bootstrap addresses of some nodes, as {@code http://HOST:PORT}, of which one must answer
   * @param zone in which this client runs; 0 where there is only one
   * @hidden
   */
  @API(status = API.Status.INTERNAL)
  public StoreClient(Seams seams, NodeNetwork network, List<String> bootstrap, int zone) {
    this.seams = seams;
    this.network = network;
    this.cluster = new ClusterMap(network, bootstrap);
    this.failures = new FailureDetector(seams);
    this.zone = zone;
  }

  /** The topology as this client knows it. */
  public Topology topology() {
    return cluster.topology();
  }

  /** Gets a topology that a node told of, of this version or a newer one. */
  public void refresh(long version) {
    cluster.refresh(version);
  }

  /** The value of a key; empty when there is none. */
  public Optional<Bytes> get(String store, Bytes key) {
    return read(store, List.of(key)).values().get(0);
  }

  /** Several keys, all read in one version; the answers stand in the order of the keys. */
  public List<Optional<Bytes>> getAll(String store, List<Bytes> keys) {
    return read(store, keys).values();
  }

  /**
   * As {@link #getAll getAll}, with the version and the schema.
   *
   * @throws ServingException {@code NO_SUCH_STORE} when the cluster serves no such store
   * @throws StoreUnavailableException when no replica of some key could answer; try again later
   * @throws ValuesTooLongException when the values of one node together have more than 48 MiB
   */
  public Values read(String store, List<Bytes> keys) {
    return read(store, keys, Optional.empty());
  }

  /**
   * As {@link #read(String, List)}, with a part of each value only, which the nodes cut out.
   *
   * @throws StoreUnavailableException also when a value is not of the transform's kind
   */
  public Values parts(String store, List<Bytes> keys, Part part) {
    return read(store, keys, Optional.of(part));
  }

  private Values read(String store, List<Bytes> keys, Optional<Part> part) {
    for (int attempt = 1; ; attempt++) {
      StoreDefinition definition = cluster.store(store);
      Topology topology = cluster.topology();
      RoutedRead read =
          new RoutedRead(
              seams, network, failures, topology, definition, topology.order(zone), keys, part);
      try {
        Values values = read.run();
        if (read.newest() > topology.version()) {
          cluster.refresh(read.newest());
        }
        return values;
      } catch (ServingException e) {
        if (e.code() != ErrorCode.VERSION_GONE) {
          throw e;
        }
        if (attempt == TRIES) {
          throw new StoreUnavailableException(
              "The nodes serve different versions of " + store + ": " + e.getMessage());
        }
        seams.sleep(BETWEEN.multipliedBy(attempt));
      } catch (StoreUnavailableException e) {
        boolean stale = read.newest() > topology.version();
        if (!stale || cluster.refresh(read.newest()).version() <= topology.version()) {
          throw e;
        }
        if (attempt == TRIES) {
          throw e;
        }
      }
    }
  }
}
