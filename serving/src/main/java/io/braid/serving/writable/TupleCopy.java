package io.braid.serving.writable;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.Seams;
import io.braid.serving.chunk.Placement;
import io.braid.serving.client.ReplicaFailedException;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.StoreDefinition;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Brings tuples of other nodes to this one, page by page. Tuples that are already here are merged.
 * A page that does not come is requested again a few times, so that one lost answer does not
 * restart the copy.
 */
final class TupleCopy {
  /** So often a page is asked for in a row before the copy fails: within three seconds. */
  private static final int ATTEMPTS = 6;

  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);

  private final Seams seams;
  private final ReplicaNetwork network;
  private final StoreDefinition store;
  private final int partitions;
  private final Engine engine;
  private final BooleanSupplier stopped;

  /**
   * @param partitions how many the ring has
   * @param engine where the tuples go
   */
  TupleCopy(
      Seams seams,
      ReplicaNetwork network,
      StoreDefinition store,
      int partitions,
      Engine engine,
      BooleanSupplier stopped) {
    this.seams = seams;
    this.network = network;
    this.store = store;
    this.partitions = partitions;
    this.engine = engine;
    this.stopped = stopped;
  }

  /**
   * Copies what a node has of some partitions.
   *
   * @param master only the siblings that count writes of this node, see {@link Engine#counted};
   *     null: all
   */
  void from(Node node, @Nullable Integer master, Set<Integer> wanted) throws IOException {
    pages(
        last ->
            new ReplicaNetwork.ReplicaEntries(
                true, network.entries(node, store.store(), last, master)),
        wanted);
  }

  /**
   * Copies what is left at a node of some partitions.
   *
   * @return whether the node has lost nothing
   */
  boolean rest(Node node, Set<Integer> wanted) throws IOException {
    return pages(last -> network.rest(node, store.store(), last), wanted);
  }

  /** A source of pages: the entries after a key, or the first entries. */
  private interface Source {
    ReplicaNetwork.ReplicaEntries after(@Nullable Bytes last) throws IOException;
  }

  /**
   * Copies all pages. A node that becomes whole while pages come was not whole at the first page.
   */
  private boolean pages(Source source, Set<Integer> wanted) throws IOException {
    @Nullable Bytes last = null;
    boolean whole = true;
    do {
      ReplicaNetwork.ReplicaEntries rest = page(source, last);
      whole &= rest.whole();
      List<Engine.Entry> page = rest.entries();
      List<Engine.Entry> here = new ArrayList<>(page);
      here.removeIf(entry -> !wanted.contains(partition(store, partitions, entry.key())));
      engine.putAll(here);
      last = page.isEmpty() ? null : page.get(page.size() - 1).key();
    } while (last != null && !stopped.getAsBoolean());
    return whole;
  }

  private ReplicaNetwork.ReplicaEntries page(Source source, @Nullable Bytes last)
      throws IOException {
    Duration pause = FIRST_PAUSE;
    for (int attempt = 1; ; attempt++) {
      try {
        return source.after(last);
      } catch (IOException | ReplicaFailedException e) {
        if (attempt == ATTEMPTS || stopped.getAsBoolean()) {
          throw e;
        }
      }
      seams.sleep(pause);
      pause = pause.multipliedBy(2);
    }
  }

  static int partition(StoreDefinition store, int partitions, Bytes key) {
    return new Placement(partitions, 1).partition(store.hash().of(key.toArray()));
  }
}
