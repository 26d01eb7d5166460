package io.braid.mapreduce;

import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;

/** Jobs that run in this process, with all their files in one directory. */
final class LocalJobs {
  private LocalJobs() {}

  static Configuration settings(Path directory) {
    Configuration settings = new Configuration();
    settings.set("mapreduce.framework.name", "local");
    settings.set("mapreduce.cluster.local.dir", directory.resolve("local").toString());
    settings.set("mapreduce.jobtracker.staging.root.dir", directory.resolve("staging").toString());
    settings.set("hadoop.tmp.dir", directory.resolve("tmp").toString());
    settings.set("mapreduce.task.io.sort.mb", "1");
    return settings;
  }
}
