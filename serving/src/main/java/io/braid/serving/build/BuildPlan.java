package io.braid.serving.build;

import io.braid.core.data.Bytes;
import io.braid.serving.StoreNames;
import io.braid.serving.chunk.Compression;
import io.braid.serving.chunk.IndexKind;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.Routing;
import java.util.OptionalLong;
import java.util.function.BinaryOperator;

/**
 * How a version of a store is built.
 *
 * @param chunks of each partition; 0: as many as the tuples need
 * @param memory bytes for sorting
 * @param minimumKeys the build fails when there are fewer
 * @param compression of each value by itself
 * @param snapshot the timestamp of the snapshot that the tuples come from
 */
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

  /** For one node that holds everything. */
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
    return new BuildPlan(
        store,
        changed,
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

  public BuildPlan routing(Routing changed) {
    return new BuildPlan(
        store,
        kind,
        changed,
        chunks,
        duplicates,
        reducer,
        memory,
        minimumKeys,
        schema,
        compression,
        snapshot);
  }

  public BuildPlan chunks(int changed) {
    return new BuildPlan(
        store,
        kind,
        routing,
        changed,
        duplicates,
        reducer,
        memory,
        minimumKeys,
        schema,
        compression,
        snapshot);
  }

  public BuildPlan duplicates(Duplicates changed) {
    return new BuildPlan(
        store,
        kind,
        routing,
        chunks,
        changed,
        reducer,
        memory,
        minimumKeys,
        schema,
        compression,
        snapshot);
  }

  /** Joins values of one key, in the order in which they came. */
  public BuildPlan reducing(BinaryOperator<Bytes> changed) {
    return new BuildPlan(
        store,
        kind,
        routing,
        chunks,
        Duplicates.REDUCE,
        changed,
        memory,
        minimumKeys,
        schema,
        compression,
        snapshot);
  }

  public BuildPlan memory(int changed) {
    return new BuildPlan(
        store,
        kind,
        routing,
        chunks,
        duplicates,
        reducer,
        changed,
        minimumKeys,
        schema,
        compression,
        snapshot);
  }

  public BuildPlan minimumKeys(long changed) {
    return new BuildPlan(
        store,
        kind,
        routing,
        chunks,
        duplicates,
        reducer,
        memory,
        changed,
        schema,
        compression,
        snapshot);
  }

  public BuildPlan schema(int changed) {
    return new BuildPlan(
        store,
        kind,
        routing,
        chunks,
        duplicates,
        reducer,
        memory,
        minimumKeys,
        changed,
        compression,
        snapshot);
  }

  public BuildPlan compression(Compression changed) {
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
        changed,
        snapshot);
  }

  public BuildPlan snapshot(long timestamp) {
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
        OptionalLong.of(timestamp));
  }
}
