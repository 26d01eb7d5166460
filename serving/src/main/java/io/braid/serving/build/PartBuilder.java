package io.braid.serving.build;

import io.braid.core.data.Bytes;
import io.braid.serving.chunk.ChunkName;
import io.braid.serving.chunk.ChunkWriter;
import io.braid.serving.chunk.Limits;
import io.braid.serving.chunk.Placement;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;

/**
 * Builds the chunks of some partitions (section 4.2.1): tuples in any order become a pair of files
 * for each chunk, in the order of hashes, each once, as the first replica.
 */
final class PartBuilder implements AutoCloseable {
  private final BuildPlan plan;
  private final int first;
  private final int end;
  private final ExternalSort sort;

  /**
   * @param first the first of the partitions
   * @param end the one behind the last
   * @param scratch where tuples wait that do not fit into memory
   */
  PartBuilder(BuildPlan plan, int first, int end, Path scratch) throws IOException {
    this.plan = plan;
    this.first = first;
    this.end = end;
    this.sort = new ExternalSort(scratch, plan.memory());
  }

  void add(Bytes key, Bytes value) throws IOException {
    Limits.check(key, value);
    sort.add(plan.kind().hash().of(key.toArray()), key, value);
  }

  /** Bytes of keys and values that were added. */
  long bytes() {
    return sort.bytes();
  }

  /**
   * Writes the chunks.
   *
   * @param folder where the files of a partition go
   * @param progress is told now and then how many tuples were written
   * @throws DuplicateKeyException when a key came twice and must not
   */
  List<ChunkWriter.Written> finish(Placement place, IntFunction<Path> folder, LongConsumer progress)
      throws IOException {
    List<ChunkWriter.Written> all = new ArrayList<>();
    long keys = 0;
    try (DistinctEntries entries =
        new DistinctEntries(sort.sorted(), plan.duplicates(), plan.reducer())) {
      boolean more = entries.next();
      for (int partition = first; partition < end; partition++) {
        for (int chunk = 0; chunk < place.chunks(); chunk++) {
          ChunkName name = new ChunkName(partition, 0, chunk);
          try (ChunkWriter writer =
              new ChunkWriter(
                  plan.kind(), plan.compression(), place, name, folder.apply(partition))) {
            while (more && isIn(place, name, entries.hash())) {
              writer.add(place.rest(entries.hash()), entries.key(), packed(entries.value()));
              keys++;
              more = entries.next();
            }
            all.add(writer.finish());
          }
          progress.accept(keys);
        }
      }
      if (more) {
        throw new IllegalArgumentException(
            "Key "
                + entries.key()
                + " belongs to partition "
                + place.partition(entries.hash())
                + ", and partitions "
                + first
                + " to "
                + (end - 1)
                + " are built here: partition the tuples as the store is.");
      }
    }
    return all;
  }

  private static boolean isIn(Placement place, ChunkName name, long hash) {
    return place.partition(hash) == name.partition() && place.chunk(hash) == name.chunk();
  }

  private Bytes packed(Bytes value) {
    return plan.kind().packsValues() ? plan.compression().pack(value) : value;
  }

  @Override
  public void close() throws IOException {
    sort.close();
  }
}
