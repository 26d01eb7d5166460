package io.braid.benchmarks;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.braid.serving.chunk.Search;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A separate process that reads keys of a store whose files have left the page cache. The process
 * prints its measurements as a line of JSON. A small second store warms up the code.
 */
final class ColdReads {
  private static final int WARM = 30_000;
  private static final int TENTHS = 10;

  private ColdReads() {}

  /**
   * Runs with the arguments kind, directory, its number of keys, the same of the small store, and
   * reads.
   */
  public static void main(String[] args) throws Exception {
    int reads = Integer.parseInt(args[5]);
    try (ServedPeer small = open(args[0], Path.of(args[3]))) {
      nanos(small, Integer.parseInt(args[4]), WARM);
    }
    try (ServedPeer peer = open(args[0], Path.of(args[1]))) {
      long[] before = faults();
      double[] micros = nanos(peer, Integer.parseInt(args[2]), reads);
      long[] after = faults();
      Map<String, Object> figures = new LinkedHashMap<>();
      figures.put("majorFaults", (double) (after[0] - before[0]) / reads);
      figures.put("minorFaults", (double) (after[1] - before[1]) / reads);
      double[] medians = new double[TENTHS];
      double[] p99s = new double[TENTHS];
      for (int tenth = 0; tenth < TENTHS; tenth++) {
        double[] part =
            Arrays.copyOfRange(micros, tenth * reads / TENTHS, (tenth + 1) * reads / TENTHS);
        medians[tenth] = Comparison.medianOf(part);
        Arrays.sort(part);
        p99s[tenth] = part[part.length * 99 / 100];
      }
      figures.put("medians", medians);
      figures.put("p99s", p99s);
      figures.put("median", Comparison.medianOf(micros));
      Arrays.sort(micros);
      figures.put("p99", micros[reads * 99 / 100]);
      System.out.println(new ObjectMapper().writeValueAsString(figures));
    }
  }

  private static ServedPeer open(String kind, Path directory) throws IOException {
    return switch (kind) {
      case "sparkey" -> SparkeyPeer.open(directory);
      case "interpolation" -> BraidPeer.open(directory, Search.INTERPOLATION);
      default -> BraidPeer.open(directory, Search.BINARY);
    };
  }

  /** Returns the microseconds of each read. */
  private static double[] nanos(ServedPeer peer, int keys, int reads) throws Exception {
    double[] micros = new double[reads];
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < reads; i++) {
      byte[] key = ServedData.key(random.nextInt(keys));
      long begun = System.nanoTime();
      if (peer.get(key) == null) {
        throw new IllegalStateException("A key that was loaded is missing.");
      }
      micros[i] = (System.nanoTime() - begun) / 1e3;
    }
    return micros;
  }

  /** Returns the page faults of this process that waited for the disk, and the others. */
  private static long[] faults() throws IOException {
    String stat = Files.readString(Path.of("/proc/self/stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return new long[] {Long.parseLong(fields[9]), Long.parseLong(fields[7])};
  }
}
