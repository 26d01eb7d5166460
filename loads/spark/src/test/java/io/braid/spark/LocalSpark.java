package io.braid.spark;

import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;

/** A session in this process: two threads, and tasks that are tried three times. */
final class LocalSpark {
  private LocalSpark() {}

  static SparkSession.Builder builder(Path directory) {
    return SparkSession.builder()
        .master("local[2,3]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.codegen.wholeStage", "false")
        .config("spark.sql.codegen.factoryMode", "NO_CODEGEN")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.warehouse.dir", directory.resolve("warehouse").toString())
        .config("spark.local.dir", directory.resolve("local").toString())
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1");
  }
}
