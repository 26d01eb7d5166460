package io.braid.serving.build;

import io.braid.core.data.Bytes;
import io.braid.serving.StoreNames;
import io.braid.serving.chunk.Compression;
import io.braid.serving.chunk.IndexKind;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.Routing;
import java.util.OptionalLong;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import org.apiguardian.api.API;

/**
 * How a version of a store is built. {@link #of of} begins, the other methods change it.
 *
 * @param chunks of each partition; 0: as many as the tuples need
 * @param store letters, digits, '_' and '-', at most 64, not beginning with '-'
 * @param memory bytes for sorting, at least 1024
 * @param minimumKeys the build fails when there are fewer
 * @param compression of each value by itself, or of blocks, as the kind of the index is
 * @param snapshot the timestamp of the snapshot that the tuples come from
 */
@API(status = API.Status.EXPERIMENTAL)
public record BuildPlan(
    String store,
    IndexKind kind,
    Routing routing,
    int chunks,
    Duplicates duplicates,
    BinaryOperator<Bytes> reducer,
    int memory,
    long minimumKeys,
    int schema,
    Compression compression,
    OptionalLong snapshot) {
  private static final int MEMORY = 256 << 20;

  public BuildPlan {
    StoreNames.store(store);
    if (memory < 1 << 10) {
      throw new IllegalArgumentException("A build needs more memory than " + memory + " bytes.");
    }
  }

  /**
   * For one node that holds everything: an index of buckets, 256 MiB for sorting, no compression;
   * it fails when a key comes twice, or there is none.
   */
  public static BuildPlan of(String store) {
    return new BuildPlan(
        store,
        IndexKind.BUCKETS,
        Routing.consistent(Ring.even(1, 1), 1),
        0,
        Duplicates.FAIL,
        Duplicates.LINES,
        MEMORY,
        1,
        0,
        Compression.NONE,
        OptionalLong.empty());
  }

  public BuildPlan kind(IndexKind changed) {
    return with(draft -> draft.kind = changed);
  }

  public BuildPlan routing(Routing changed) {
    return with(draft -> draft.routing = changed);
  }

  public BuildPlan chunks(int changed) {
    return with(draft -> draft.chunks = changed);
  }

  public BuildPlan duplicates(Duplicates changed) {
    return with(draft -> draft.duplicates = changed);
  }

  /** Joins values of one key, in the order in which they came. */
  public BuildPlan reducing(BinaryOperator<Bytes> changed) {
    return with(
        draft -> {
          draft.duplicates = Duplicates.REDUCE;
          draft.reducer = changed;
        });
  }

  public BuildPlan memory(int changed) {
    return with(draft -> draft.memory = changed);
  }

  public BuildPlan minimumKeys(long changed) {
    return with(draft -> draft.minimumKeys = changed);
  }

  public BuildPlan schema(int changed) {
    return with(draft -> draft.schema = changed);
  }

  public BuildPlan compression(Compression changed) {
    return with(draft -> draft.compression = changed);
  }

  public BuildPlan snapshot(long timestamp) {
    return with(draft -> draft.snapshot = OptionalLong.of(timestamp));
  }

  private BuildPlan with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.finish();
  }

  /** A plan under change, from which a new plan is made. */
  private static final class Draft {
    private String store;
    private IndexKind kind;
    private Routing routing;
    private int chunks;
    private Duplicates duplicates;
    private BinaryOperator<Bytes> reducer;
    private int memory;
    private long minimumKeys;
    private int schema;
    private Compression compression;
    private OptionalLong snapshot;

    Draft(BuildPlan from) {
      store = from.store;
      kind = from.kind;
      routing = from.routing;
      chunks = from.chunks;
      duplicates = from.duplicates;
      reducer = from.reducer;
      memory = from.memory;
      minimumKeys = from.minimumKeys;
      schema = from.schema;
      compression = from.compression;
      snapshot = from.snapshot;
    }

    BuildPlan finish() {
      return new BuildPlan(
          store,
          kind,
          routing,
          chunks,
          duplicates,
          reducer,
          memory,
          minimumKeys,
          schema,
          compression,
          snapshot);
    }
  }
}
