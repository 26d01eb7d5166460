package io.braid.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.braid.serving.chunk.IndexKind;
import io.braid.serving.chunk.Search;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Reads in a new process after all files have left the page cache, with the page faults of each
 * read. The search is by halving and by interpolation (figure 8 of the paper). The benchmark needs
 * Linux and {@code dd}.
 */
final class ServedCold {
  private static final int SMALL = 10_000;

  private final Report report;
  private final ServedData data;
  private final int reads;

  ServedCold(Report report, ServedData data, int reads) {
    this.report = report;
    this.data = data;
    this.reads = reads;
  }

  /** The way a store is made and opened. */
  private record Kind(String name, String argument, IndexKind index) {}

  private static final List<Kind> KINDS =
      List.of(
          new Kind(ServedReads.SPARKEY, "sparkey", IndexKind.BUCKETS),
          new Kind(ServedReads.OURS, "buckets", IndexKind.BUCKETS),
          new Kind("braid, the paper's index, halving", "halving", IndexKind.SORTED),
          new Kind("braid, the paper's index, interpolation", "interpolation", IndexKind.SORTED));

  void run() throws Exception {
    double base = 0;
    for (Kind kind : KINDS) {
      try (Scratch scratch = Scratch.create()) {
        Path large = make(kind, data, scratch.child("large"));
        Path small = make(kind, data.of(SMALL), scratch.child("small"));
        forget(large);
        JsonNode read = read(kind, large, small);
        double median = read.path("median").asDouble();
        base = kind.argument().equals("sparkey") ? median : base;
        Map<String, Object> params = new LinkedHashMap<>();
        params.put("values", data.name());
        for (String figure : List.of("majorFaults", "minorFaults", "p99")) {
          params.put(figure, read.path(figure).asDouble());
        }
        params.put("medianOfFirstTenth", read.path("medians").path(0).asDouble());
        report.figure(
            "cold read, " + kind.name(), params, median, "us", ServedReads.SPARKEY, median / base);
        overTime(kind, 50, read.path("medians"));
        overTime(kind, 99, read.path("p99s"));
      }
    }
  }

  /** Prints the reads in order, by tenths: the reads bring pages back into the cache. */
  private void overTime(Kind kind, int percentile, JsonNode values) {
    for (int tenth = 0; tenth < values.size(); tenth++) {
      report.figure(
          "cold reads, " + kind.name(),
          Map.of("tenth", tenth + 1, "percentile", percentile),
          values.path(tenth).asDouble(),
          "us",
          "",
          0);
    }
  }

  private static Path make(Kind kind, ServedData data, Path directory) throws Exception {
    if (kind.argument().equals("sparkey")) {
      SparkeyPeer.load(Files.createDirectories(directory), data.tuples()).close();
      return directory;
    }
    Path built = directory.resolveSibling(directory.getFileName() + "-built");
    BraidPeer.build(built, kind.index(), data.tuples());
    BraidPeer.serve(built, directory, Search.BINARY, 1).close();
    return directory;
  }

  private JsonNode read(Kind kind, Path large, Path small) throws Exception {
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElse("java"),
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                ColdReads.class.getName(),
                kind.argument(),
                large.toString(),
                Integer.toString(data.keys()),
                small.toString(),
                Integer.toString(SMALL),
                Integer.toString(reads))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (InputStream out = process.getInputStream()) {
      String said = new String(out.readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new IllegalStateException("The reading process ended with " + process.exitValue());
      }
      return new ObjectMapper().readTree(said);
    }
  }

  /** Removes the pages of all files from the page cache. */
  private static void forget(Path directory) throws IOException, InterruptedException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(directory)) {
      files = all.filter(Files::isRegularFile).toList();
    }
    for (Path file : files) {
      Process sync = new ProcessBuilder("sync", file.toString()).start();
      Process drop =
          sync.waitFor() != 0
              ? sync
              : new ProcessBuilder("dd", "if=" + file, "iflag=nocache", "count=0", "status=none")
                  .start();
      if (drop.waitFor() != 0) {
        throw new IllegalStateException("The pages of " + file + " cannot be dropped with dd.");
      }
    }
  }
}
