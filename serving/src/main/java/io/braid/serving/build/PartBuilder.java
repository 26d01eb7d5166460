package io.braid.serving.build;

import io.braid.core.data.Bytes;
import io.braid.serving.ServingException;
import io.braid.serving.chunk.ChunkName;
import io.braid.serving.chunk.ChunkWriter;
import io.braid.serving.chunk.CrowdedChunkException;
import io.braid.serving.chunk.FileDigest;
import io.braid.serving.chunk.Limits;
import io.braid.serving.chunk.Placement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;

/**
 * Builds the chunks of some partitions (section 4.2.1): tuples in any order become a pair of files
 * for each chunk, in the order of hashes, each once, as the first replica.
 */
final class PartBuilder implements AutoCloseable {
  /** Keeps the place of a chunk that is to be written again. */
  private static final ChunkWriter.WrittenChunk NOT_YET =
      new ChunkWriter.WrittenChunk(
          new ChunkName(0, 0, 0), 0, new FileDigest(0, ""), new FileDigest(0, ""));

  private final BuildPlan plan;
  private final int first;
  private final int end;
  private final Path scratch;
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
    this.scratch = scratch;
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
   * @param progress gets the number of tuples written, from time to time
   * @throws ServingException {@code DUPLICATE_KEY} when a key came twice although the plan forbids
   *     duplicates
   */
  List<ChunkWriter.WrittenChunk> finish(
      Placement place, IntFunction<Path> folder, LongConsumer progress) throws IOException {
    Map<ChunkName, ChunkWriter.WrittenChunk> all = new LinkedHashMap<>();
    Map<ChunkName, Long> crowded = new LinkedHashMap<>();
    long keys = 0;
    try (DistinctEntries entries = entries()) {
      boolean more = entries.next();
      for (int partition = first; partition < end; partition++) {
        for (int chunk = 0; chunk < place.chunks(); chunk++) {
          ChunkName name = new ChunkName(partition, 0, chunk);
          try (ChunkWriter writer = writer(place, name, folder, 0)) {
            while (more && isIn(place, name, entries.hash())) {
              writer.add(place.rest(entries.hash()), entries.key(), packed(entries.value()));
              keys++;
              more = entries.next();
            }
            all.put(name, writer.finish());
          } catch (CrowdedChunkException e) {
            crowded.put(name, e.seed());
            all.put(name, NOT_YET);
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
    if (!crowded.isEmpty()) {
      writeAgain(place, folder, crowded, all);
    }
    return List.copyOf(all.values());
  }

  private DistinctEntries entries() throws IOException {
    return new DistinctEntries(sort.sorted(), plan.duplicates(), plan.reducer());
  }

  private ChunkWriter writer(Placement place, ChunkName name, IntFunction<Path> folder, long seed)
      throws IOException {
    return new ChunkWriter(
        plan.kind(), plan.compression(), place, name, folder.apply(name.partition()), seed);
  }

  /**
   * Rewrites chunks in another order, because their keys were chosen so that the first order does
   * not distinguish them. Each key stays in its partition and chunk: clients and other nodes depend
   * on that place.
   *
   * @param crowded the seeds of the chunks, in the order of the chunks
   */
  private void writeAgain(
      Placement place,
      IntFunction<Path> folder,
      Map<ChunkName, Long> crowded,
      Map<ChunkName, ChunkWriter.WrittenChunk> all)
      throws IOException {
    try (DistinctEntries entries = entries()) {
      boolean more = entries.next();
      for (Map.Entry<ChunkName, Long> each : crowded.entrySet()) {
        ChunkName name = each.getKey();
        long seed = each.getValue();
        while (more && !isIn(place, name, entries.hash())) {
          more = entries.next();
        }
        Files.delete(folder.apply(name.partition()).resolve(name.data()));
        Files.delete(folder.apply(name.partition()).resolve(name.index()));
        try (ExternalSort seeded =
                new ExternalSort(scratch.resolve("seeded"), Math.max(1, plan.memory() / 4));
            ChunkWriter writer = writer(place, name, folder, seed)) {
          while (more && isIn(place, name, entries.hash())) {
            seeded.add(
                ChunkWriter.rest(seed, entries.key()), entries.key(), packed(entries.value()));
            more = entries.next();
          }
          try (Entries sorted = seeded.sorted()) {
            while (sorted.next()) {
              writer.add(sorted.hash(), sorted.key(), sorted.value());
            }
          }
          all.put(name, writer.finish());
        }
      }
    }
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
