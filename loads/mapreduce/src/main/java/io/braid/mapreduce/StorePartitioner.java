package io.braid.mapreduce;

import io.braid.serving.build.EngineBuild;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Partitioner;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Brings each key to the reduce task that builds its partition of the store. */
@API(status = API.Status.EXPERIMENTAL)
public final class StorePartitioner extends Partitioner<Object, Object> implements Configurable {
  private @Nullable Configuration settings;
  private @Nullable EngineBuild build;

  @Override
  public void setConf(Configuration given) {
    settings = given;
    build = StoreOutputFormat.build(given);
  }

  @Override
  public @Nullable Configuration getConf() {
    return settings;
  }

  @Override
  public int getPartition(Object key, Object value, int partitions) {
    if (build == null || build.tasks() != partitions) {
      throw new IllegalStateException(
          "The job has " + partitions + " reduce tasks: the store is built by another number.");
    }
    return build.task(TupleWriter.bytes(key).toArray());
  }
}
