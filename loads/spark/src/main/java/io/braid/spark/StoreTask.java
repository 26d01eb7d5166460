package io.braid.spark;

import io.braid.core.data.Bytes;
import io.braid.serving.build.EngineBuild;
import io.braid.serving.build.EnginePart;
import io.braid.serving.build.SharedFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.Function2;
import org.apache.spark.util.SerializableConfiguration;
import scala.Tuple2;

/**
 * Builds the chunks of a task, and gives the name of the folder in which they are: of this attempt.
 */
record StoreTask(String build, String parts, SerializableConfiguration settings)
    implements Function2<Integer, Iterator<Tuple2<byte[], byte[]>>, Iterator<String>> {
  @Override
  public Iterator<String> call(Integer task, Iterator<Tuple2<byte[], byte[]>> tuples)
      throws IOException {
    String attempt = "task-" + task + "-" + TaskContext.get().taskAttemptId();
    SharedFolder folder = SharedFolder.of(new Path(parts), settings.value()).in(attempt);
    try (EnginePart part =
        EngineBuild.decode(build).begin(task, Files.createTempDirectory("braid-store-"))) {
      while (tuples.hasNext()) {
        Tuple2<byte[], byte[]> tuple = tuples.next();
        part.add(Bytes.wrap(tuple._1()), Bytes.wrap(tuple._2()));
      }
      part.finish(folder);
    }
    return List.of(attempt).iterator();
  }
}
