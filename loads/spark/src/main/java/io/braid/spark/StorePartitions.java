package io.braid.spark;

import io.braid.serving.build.EngineBuild;
import java.util.Objects;
import org.apache.spark.Partitioner;
import org.jspecify.annotations.Nullable;

/** Brings each key to the task that builds its partition of the store. */
final class StorePartitions extends Partitioner {
  private static final long serialVersionUID = 1;

  private final String build;
  private final int tasks;
  private transient @Nullable EngineBuild decoded;

  StorePartitions(String build, int tasks) {
    this.build = build;
    this.tasks = tasks;
  }

  @Override
  public int numPartitions() {
    return tasks;
  }

  @Override
  public int getPartition(Object key) {
    EngineBuild known = decoded;
    if (known == null) {
      known = EngineBuild.decode(build);
      decoded = known;
    }
    return known.task((byte[]) key);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof StorePartitions that && build.equals(that.build);
  }

  @Override
  public int hashCode() {
    return Objects.hash(build);
  }
}
