package io.braid.benchmarks;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Served stores compared with their peers (Voldemort, section 5), with all integrity checks on. The
 * benchmark measures hits and misses, bytes of index, build time, cold reads, swaps and rollbacks,
 * the effect of a fetch on readers, and a node over the network.
 */
@Command(
    name = "serving",
    mixinStandardHelpOptions = true,
    description =
        "Reads of served stores beside Sparkey, PalDB, LMDB, H2 MVStore and RocksDB; swaps.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid bench serving --quick",
      "  braid bench serving --quick --only reads --peers Sparkey",
      "  braid bench serving --only swaps,cold",
      "  braid bench serving --quick --only swaps --large-swap 10"
    })
final class ServingBenchmark implements Callable<Integer> {
  /** The parts that can be run separately. */
  enum Part {
    READS,
    SWAPS,
    COLD,
    BUILDS,
    FETCH,
    NODE
  }

  @Option(names = "--keys", description = "Keys of 16 bytes (default: ${DEFAULT-VALUE}).")
  int keys = 5_000_000;

  @Option(names = "--rounds", description = "Counted rounds (default: ${DEFAULT-VALUE}).")
  int rounds = 7;

  @Option(names = "--slice", description = "Milliseconds of a case in a round.")
  long slice = 1000;

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "PART",
      description = "Parts to run, of ${COMPLETION-CANDIDATES} (default: all).")
  Set<Part> only = new LinkedHashSet<>(Arrays.asList(Part.values()));

  @Option(
      names = "--peers",
      split = ",",
      paramLabel = "NAME",
      description = "Peers to read beside, of ${DEFAULT-VALUE} (default: all).")
  Set<String> peers = new LinkedHashSet<>(ServedReads.PEERS);

  @Option(
      names = "--large-swap",
      paramLabel = "GB",
      description = "Swaps of versions that are so large as well; takes so much disk.")
  int gigabytes;

  @Option(names = "--quick", description = "A first look in a few minutes.")
  boolean quick;

  @Override
  public Integer call() throws Exception {
    if (quick) {
      keys = Math.min(keys, 1_000_000);
      rounds = Math.min(rounds, 3);
      slice = Math.min(slice, 300);
    }
    Report report = new Report("serving", System.out);
    for (Part part : Part.values()) {
      if (only.contains(part)) {
        run(part, report);
      }
    }
    report.end();
    return 0;
  }

  private void run(Part part, Report report) throws Exception {
    ServedData fixed = new ServedData("100 bytes", keys, 100, 100);
    switch (part) {
      case READS -> {
        reads(report, fixed);
        reads(report, new ServedData("20 to 180 bytes", keys, 20, 180));
        reads(report, new ServedData("1000 bytes", keys / 5, 1000, 1000));
      }
      case SWAPS -> new ServedSwaps(report).run(keys, gigabytes);
      case COLD -> new ServedCold(report, fixed, quick ? 2_000 : 10_000).run();
      case BUILDS -> new ServedBuilds(report).run(keys);
      case FETCH -> new ServedFetch(report, fixed, quick ? 4 : 20).run();
      case NODE -> new ServedNode(report, fixed, rounds, slice).run();
    }
  }

  private void reads(Report report, ServedData data) throws Exception {
    new ServedReads(report, data, peers, rounds, slice).run();
  }
}
