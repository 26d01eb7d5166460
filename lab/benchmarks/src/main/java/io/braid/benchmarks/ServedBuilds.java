package io.braid.benchmarks;

import io.braid.serving.chunk.IndexKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Build time against size (figure 7 of the paper), sorting included. Braid's files are durable at
 * the end; the peers' files have the default durability.
 */
final class ServedBuilds {
  private final Report report;

  ServedBuilds(Report report) {
    this.report = report;
  }

  private interface Build {
    void run(Path directory, ServedData data) throws Exception;
  }

  void run(int most) throws Exception {
    List<Integer> sizes = new ArrayList<>();
    for (int size = most; size >= 10_000 && sizes.size() < 4; size /= 5) {
      sizes.add(0, size);
    }
    Build sparkey =
        (directory, data) ->
            SparkeyPeer.load(Files.createDirectories(directory), data.tuples()).close();
    for (int size : sizes) {
      ServedData data = new ServedData("100 bytes", size, 100, 100);
      double base = seconds(sparkey, data);
      print(ServedReads.SPARKEY, data, base, base);
      print("LMDB", data, seconds(ServedBuilds::lmdb, data), base);
      print("H2 MVStore", data, seconds(ServedBuilds::mvStore, data), base);
      print("RocksDB", data, seconds(ServedBuilds::rocks, data), base);
      for (IndexKind kind : IndexKind.values()) {
        double taken =
            seconds((directory, of) -> BraidPeer.build(directory, kind, of.tuples()), data);
        print("braid, " + kind.text(), data, taken, base);
      }
    }
  }

  private static void lmdb(Path directory, ServedData data) throws Exception {
    LmdbPeer.load(directory, data.bytes(), data.tuples()).close();
  }

  private static void mvStore(Path directory, ServedData data) throws Exception {
    MvStorePeer.load(directory, data.bytes(), data.tuples()).close();
  }

  private static void rocks(Path directory, ServedData data) throws Exception {
    RocksPeer.load(directory, data.bytes(), data.tuples()).close();
  }

  private void print(String name, ServedData data, double taken, double base) {
    report.figure(
        "build, " + name,
        Map.of("keys", data.keys(), "MB", data.bytes() / 1_000_000),
        taken,
        "s",
        ServedReads.SPARKEY,
        taken / base);
  }

  private static double seconds(Build build, ServedData data) throws Exception {
    try (Scratch scratch = Scratch.create()) {
      long begun = System.nanoTime();
      build.run(scratch.child("built"), data);
      return (System.nanoTime() - begun) / 1e9;
    }
  }
}
