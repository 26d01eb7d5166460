package io.braid.benchmarks;

import static io.braid.benchmarks.ServedData.key;

import io.braid.serving.chunk.IndexKind;
import io.braid.serving.chunk.Search;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Hits and misses in memory with one thread, for Braid and the requested peers. */
final class ServedReads {
  static final String OURS = "braid";
  static final String SPARKEY = "Sparkey";
  static final List<String> PEERS = List.of(SPARKEY, "PalDB", "LMDB", "H2 MVStore", "RocksDB");

  private final Report report;
  private final ServedData data;
  private final Set<String> wanted;
  private final int rounds;
  private final long slice;

  ServedReads(Report report, ServedData data, Set<String> wanted, int rounds, long slice) {
    this.report = report;
    this.data = data;
    this.wanted = wanted;
    this.rounds = rounds;
    this.slice = slice;
  }

  void run() throws Exception {
    try (Scratch scratch = Scratch.create()) {
      Map<String, ServedPeer> peers = new LinkedHashMap<>();
      try {
        load(scratch, peers);
        BraidPeer ours = (BraidPeer) Objects.requireNonNull(peers.get(OURS));
        MemoryHops hops = new MemoryHops((int) Math.min(1L << 30, data.bytes()));
        int keys = data.keys();
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
        judge(hits.run(), misses.run());
      } finally {
        for (ServedPeer peer : peers.values()) {
          peer.close();
        }
      }
    }
  }

  private void load(Scratch scratch, Map<String, ServedPeer> peers) throws Exception {
    Path buckets = scratch.child("buckets");
    Path sorted = scratch.child("sorted");
    long begun = System.nanoTime();
    BraidPeer.build(buckets, IndexKind.BUCKETS, data.tuples());
    built(OURS, begun);
    begun = System.nanoTime();
    BraidPeer.build(sorted, IndexKind.SORTED, data.tuples());
    built("braid, the paper's index", begun);
    peers.put(OURS, BraidPeer.serve(buckets, scratch.child("n1"), Search.BINARY, 1));
    peers.put(
        "braid, the paper's index, halving",
        BraidPeer.serve(sorted, scratch.child("n2"), Search.BINARY, 1));
    peers.put(
        "braid, the paper's index, interpolation",
        BraidPeer.serve(sorted, scratch.child("n3"), Search.INTERPOLATION, 1));
    for (String name : PEERS) {
      if (wanted.contains(name)) {
        begun = System.nanoTime();
        peers.put(name, load(name, scratch));
        built(name, begun);
      }
    }
    peers.forEach(this::index);
  }

  private ServedPeer load(String name, Scratch scratch) throws Exception {
    Path directory = scratch.child(name);
    return switch (name) {
      case SPARKEY -> SparkeyPeer.load(Files.createDirectories(directory), data.tuples());
      case "PalDB" -> PalDbPeer.load(Files.createDirectories(directory), data.tuples());
      case "H2 MVStore" -> MvStorePeer.load(directory, data.bytes(), data.tuples());
      case "LMDB" -> LmdbPeer.load(directory, data.bytes(), data.tuples());
      default -> RocksPeer.load(directory, data.bytes(), data.tuples());
    };
  }

  private void built(String name, long begun) {
    double perSecond = data.keys() * 1e9 / (System.nanoTime() - begun);
    report.figure("build, " + name, values(), perSecond, "keys/s", name, 1);
  }

  private void index(String name, ServedPeer peer) {
    if (peer.indexBytes() > 0) {
      double bytes = (double) peer.indexBytes() / data.keys();
      report.figure("index, " + name, values(), bytes, "bytes/key", name, 1);
      if (name.equals(OURS)) {
        report.atMost("index bytes a key, " + data.name(), 4.05, bytes);
      }
    }
  }

  private Map<String, Object> values() {
    return Map.of("values", data.name());
  }

  private void judge(Comparison.Results hits, Comparison.Results misses) {
    String base = wanted.contains(SPARKEY) ? SPARKEY : OURS;
    print("hit", base, hits);
    print("miss", base, misses);
    if (wanted.contains(SPARKEY)) {
      report.atLeast(
          "hits to Sparkey's, " + data.name(),
          data.fixed() ? 1.5 : 0.95,
          hits.ratio(OURS, SPARKEY));
      report.atLeast("misses to Sparkey's, " + data.name(), 2, misses.ratio(OURS, SPARKEY));
    }
    report.atMost(
        "hit in dependent memory accesses, " + data.name(),
        data.fixed() ? 2.5 : 3.5,
        hits.ratio("one dependent memory access", OURS));
  }

  private void print(String what, String base, Comparison.Results results) {
    Comparison.Figures first = results.of(base);
    results
        .all()
        .forEach(
            (name, figures) ->
                report.figure(
                    what + ", " + name,
                    Map.of("values", data.name(), "cpuRatio", figures.cpuRatioTo(first)),
                    figures.median(),
                    "1/s",
                    base,
                    figures.ratioTo(first)));
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
}
