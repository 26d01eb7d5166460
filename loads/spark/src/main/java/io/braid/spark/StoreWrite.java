package io.braid.spark;

import io.braid.serving.build.EngineBuild;
import io.braid.serving.build.EngineCommit;
import io.braid.serving.build.Manifest;
import io.braid.serving.build.SharedFolder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.util.SerializableConfiguration;
import org.apiguardian.api.API;
import scala.Tuple2;

/**
 * Builds a version of a served store from results of Spark (Voldemort, section 4.2.1): each task
 * builds all chunks of some partitions of the ring. Attempts write folders of their own. The
 * folders of attempts that Spark accepts become {@code node-N}, so tasks may fail and speculate.
 *
 * <pre>{@code
 * StoreWrite.of(EngineBuild.of(plan, 8), "hdfs://name/people").run(people.select("id", "name"));
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL)
public final class StoreWrite {
  private static final String PARTS = "_parts";

  private final EngineBuild build;
  private final String directory;

  private StoreWrite(EngineBuild build, String directory) {
    this.build = build;
    this.directory = directory;
  }

  /**
   * @param directory of the folders, which all tasks reach; empty or missing
   */
  public static StoreWrite of(EngineBuild build, String directory) {
    return new StoreWrite(build, directory);
  }

  /**
   * Builds the version.
   *
   * @param tuples keys and values: two columns of text or bytes; each key once
   * @return the manifest of each node
   * @throws FileAlreadyExistsException when the directory is not empty
   */
  public Map<Integer, Manifest> run(Dataset<Row> tuples) throws IOException {
    TupleColumns columns = TupleColumns.of(tuples.schema());
    return run(
        tuples.javaRDD().mapToPair(row -> new Tuple2<>(columns.key(row), columns.value(row))),
        tuples.sparkSession().sparkContext().hadoopConfiguration());
  }

  private Map<Integer, Manifest> run(JavaPairRDD<byte[], byte[]> tuples, Configuration settings)
      throws IOException {
    SharedFolder out = SharedFolder.of(new Path(directory), settings);
    if (!out.names().isEmpty()) {
      throw new FileAlreadyExistsException(
          "Directory " + out + " is not empty: name another one, or clear it first.");
    }
    SharedFolder parts = out.in(PARTS);
    StoreTask task =
        new StoreTask(build.text(), parts.toString(), new SerializableConfiguration(settings));
    TaggedJobs jobs = new TaggedJobs(tuples.context());
    boolean done = false;
    try {
      List<SharedFolder> taken = new ArrayList<>();
      List<String> attempts =
          jobs.run(
              tuples
                      .partitionBy(new StorePartitions(build.text(), build.tasks()))
                      .mapPartitionsWithIndex(task, false)
                  ::collect);
      for (String attempt : attempts) {
        taken.add(parts.in(attempt));
      }
      Map<Integer, Manifest> made = new EngineCommit(build, out).run(taken);
      parts.delete();
      done = true;
      return made;
    } finally {
      if (!done) {
        jobs.end();
        for (String name : out.names()) {
          out.in(name).delete();
        }
      }
    }
  }
}
