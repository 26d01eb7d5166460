package io.braid.benchmarks;

import io.braid.serving.chunk.IndexKind;
import io.braid.serving.chunk.Search;
import io.braid.serving.node.ServedStore;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Reading served stores beside their peers (Voldemort, section 5), all integrity checks on: hits
 * and misses, bytes of index, time to build, and how long a swap and a rollback take.
 */
@Command(
    name = "serving",
    mixinStandardHelpOptions = true,
    description = "Reads of served stores beside Sparkey, PalDB, LMDB and RocksDB; swaps.")
final class ServingBenchmark implements Callable<Integer> {
  private static final String OURS = "braid";
  private static final String SPARKEY = "Sparkey";

  @Option(names = "--keys", description = "Keys of 16 bytes (default: ${DEFAULT-VALUE}).")
  int keys = 5_000_000;

  @Option(names = "--rounds", description = "Counted rounds (default: ${DEFAULT-VALUE}).")
  int rounds = 7;

  @Option(names = "--slice", description = "Milliseconds of a case in a round.")
  long slice = 1000;

  @Option(names = "--quick", description = "A first look in under two minutes.")
  boolean quick;

  @Override
  public Integer call() throws Exception {
    if (quick) {
      keys = Math.min(keys, 1_000_000);
      rounds = 3;
      slice = 300;
    }
    Report report = new Report("serving", System.out);
    read(report, new Values("100 bytes", 100, 100));
    read(report, new Values("20 to 180 bytes", 20, 180));
    swaps(report);
    report.end();
    return 0;
  }

  /** What values a run has. */
  private record Values(String name, int least, int most) {
    boolean fixed() {
      return least == most;
    }

    byte[] of(int key) {
      SplittableRandom random = new SplittableRandom(key);
      byte[] value = new byte[least + (fixed() ? 0 : random.nextInt(most - least))];
      random.nextBytes(value);
      return value;
    }
  }

  private void read(Report report, Values values) throws Exception {
    ServedPeer.Tuples tuples =
        sink -> {
          for (int i = 0; i < keys; i++) {
            sink.add(key(i), values.of(i));
          }
        };
    try (Scratch scratch = Scratch.create()) {
      Map<String, ServedPeer> peers = new LinkedHashMap<>();
      try {
        load(report, scratch, values, tuples, peers);
        BraidPeer ours = (BraidPeer) Objects.requireNonNull(peers.get(OURS));
        MemoryHops hops = new MemoryHops((int) Math.min(1L << 30, keys * 116L));
        Comparison hits = new Comparison(1, rounds, slice);
        Comparison misses = new Comparison(1, rounds, slice);
        peers.forEach(
            (name, peer) -> {
              hits.add(name, random -> present(peer.get(key(random.nextInt(keys)))));
              misses.add(name, random -> absent(peer.get(key(-1 - random.nextInt(keys)))));
            });
        hits.add("braid, a lease each", r -> present(ours.leased(key(r.nextInt(keys)))));
        misses.add("braid, a lease each", r -> absent(ours.leased(key(-1 - r.nextInt(keys)))));
        hits.add("braid, without a copy", r -> length(ours.view(key(r.nextInt(keys)))));
        hits.add("one dependent memory access", random -> hops.hop());
        judge(report, values, hits.run(), misses.run());
      } finally {
        for (ServedPeer peer : peers.values()) {
          peer.close();
        }
      }
    }
  }

  private void load(
      Report report,
      Scratch scratch,
      Values values,
      ServedPeer.Tuples tuples,
      Map<String, ServedPeer> peers)
      throws Exception {
    long bytes = keys * 116L;
    Path buckets = scratch.child("buckets");
    Path sorted = scratch.child("sorted");
    long begun = System.nanoTime();
    BraidPeer.build(buckets, IndexKind.BUCKETS, tuples);
    built(report, values, OURS, begun);
    begun = System.nanoTime();
    BraidPeer.build(sorted, IndexKind.SORTED, tuples);
    built(report, values, "braid, the paper's index", begun);
    begun = System.nanoTime();
    Path peer = Files.createDirectories(scratch.child("sparkey"));
    peers.put(OURS, BraidPeer.serve(buckets, scratch.child("n1"), Search.BINARY, 1));
    peers.put(
        "braid, the paper's index, halving",
        BraidPeer.serve(sorted, scratch.child("n2"), Search.BINARY, 1));
    peers.put(
        "braid, the paper's index, interpolation",
        BraidPeer.serve(sorted, scratch.child("n3"), Search.INTERPOLATION, 1));
    begun = System.nanoTime();
    peers.put(SPARKEY, SparkeyPeer.load(peer, tuples));
    built(report, values, SPARKEY, begun);
    begun = System.nanoTime();
    peers.put("PalDB", PalDbPeer.load(peer, tuples));
    built(report, values, "PalDB", begun);
    begun = System.nanoTime();
    peers.put("LMDB", LmdbPeer.load(scratch.child("lmdb"), bytes, tuples));
    built(report, values, "LMDB", begun);
    begun = System.nanoTime();
    peers.put("RocksDB", RocksPeer.load(scratch.child("rocks"), bytes, tuples));
    built(report, values, "RocksDB", begun);
    peers.forEach((name, each) -> index(report, values, name, each));
  }

  private void built(Report report, Values values, String name, long begun) {
    double perSecond = keys * 1e9 / (System.nanoTime() - begun);
    report.figure("build, " + name, Map.of("values", values.name), perSecond, "keys/s", name, 1);
  }

  private void index(Report report, Values values, String name, ServedPeer peer) {
    if (peer.indexBytes() > 0) {
      double bytes = (double) peer.indexBytes() / keys;
      report.figure("index, " + name, Map.of("values", values.name), bytes, "bytes/key", name, 1);
      if (name.equals(OURS)) {
        report.atMost("index bytes a key, " + values.name, 4.05, bytes);
      }
    }
  }

  private static void judge(
      Report report, Values values, Comparison.Results hits, Comparison.Results misses) {
    print(report, "hit", values, hits);
    print(report, "miss", values, misses);
    report.atLeast(
        "hits to Sparkey's, " + values.name,
        values.fixed() ? 1.5 : 0.95,
        hits.ratio(OURS, SPARKEY));
    report.atLeast("misses to Sparkey's, " + values.name, 2, misses.ratio(OURS, SPARKEY));
    report.atMost(
        "hit in dependent memory accesses, " + values.name,
        values.fixed() ? 2.5 : 3.5,
        hits.ratio("one dependent memory access", OURS));
  }

  private static void print(Report report, String what, Values values, Comparison.Results results) {
    Comparison.Figures base = results.of(SPARKEY);
    results
        .all()
        .forEach(
            (name, figures) ->
                report.figure(
                    what + ", " + name,
                    Map.of("values", values.name),
                    figures.median(),
                    "1/s",
                    SPARKEY,
                    figures.ratioTo(base)));
  }

  /** Swaps and rollbacks of a small and a large version. */
  private void swaps(Report report) throws Exception {
    Values values = new Values("100 bytes", 100, 100);
    for (int size : List.of(10_000, keys)) {
      try (Scratch scratch = Scratch.create()) {
        Path built = scratch.child("built");
        BraidPeer.build(
            built,
            IndexKind.BUCKETS,
            sink -> {
              for (int i = 0; i < size; i++) {
                sink.add(key(i), values.of(i));
              }
            });
        try (BraidPeer peer = BraidPeer.serve(built, scratch.child("node"), Search.BINARY, 8)) {
          swaps(report, peer.store(), size);
        }
      }
    }
  }

  private static void swaps(Report report, ServedStore store, int size) throws Exception {
    List<Double> swaps = new ArrayList<>();
    List<Double> rollbacks = new ArrayList<>();
    for (int version = 2; version <= 8; version++) {
      swaps.add(millis(store, version));
    }
    for (int i = 0; i < 7; i++) {
      rollbacks.add(millis(store, 0));
    }
    Map<String, Object> params = Map.of("keys", size);
    double swap = median(swaps);
    double rollback = median(rollbacks);
    report.figure("swap", params, swap, "ms", "swap", 1);
    report.figure("rollback", params, rollback, "ms", "swap", rollback / swap);
    report.atMost("swap in ms, " + size + " keys", 10, swap);
    report.atMost("rollback in ms, " + size + " keys", 10, rollback);
  }

  private static double millis(ServedStore store, long version) throws Exception {
    long begun = System.nanoTime();
    if (version == 0) {
      store.rollBack(0);
    } else {
      store.swap(version, false);
    }
    return (System.nanoTime() - begun) / 1e6;
  }

  private static double median(List<Double> values) {
    return Comparison.medianOf(values.stream().mapToDouble(Double::doubleValue).toArray());
  }

  private static void present(byte @Nullable [] value) {
    if (value == null) {
      throw new IllegalStateException("A key that was loaded is missing.");
    }
  }

  private static void absent(byte @Nullable [] value) {
    if (value != null) {
      throw new IllegalStateException("A key that was never loaded is there.");
    }
  }

  private static void length(int length) {
    if (length < 0) {
      throw new IllegalStateException("A key that was loaded is missing.");
    }
  }

  /** Sixteen bytes, spread over the key space. */
  private static byte[] key(int i) {
    long mixed = i * 0x9E3779B97F4A7C15L;
    return ByteBuffer.allocate(16).putLong(mixed).putLong(i).array();
  }
}
