package io.braid.benchmarks.fuzz;

import com.sun.management.UnixOperatingSystemMXBean;
import io.braid.benchmarks.Report;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Sends changed frames to everything that listens. No answer or log entry may be a defect.
 * Well-behaved clients get answers throughout. Memory, threads and files stay as they were.
 */
@Command(
    name = "fuzz",
    mixinStandardHelpOptions = true,
    description = {
      "Throws frames at everything that listens: HTTP, gRPC, Redis, group nodes, the manager.",
      "Exit code 1 when something is wrong; the same seed sends the same again."
    })
public final class FuzzCommand implements Callable<Integer> {
  private static final int ROUNDS = 20;

  @Option(names = "--frames", description = "In all (default: ${DEFAULT-VALUE}).")
  int frames = 1_000_000;

  @Option(names = "--seed", description = "Of all randomness (default: ${DEFAULT-VALUE}).")
  long seed = 1;

  @Option(names = "--protocol", description = "Only those whose name contains this.")
  String protocol = "";

  @Option(names = "--quick", description = "A twentieth of the frames.")
  boolean quick;

  /**
   * The result of a run.
   *
   * @param heap additional bytes still in use at the end
   * @param problems in words; empty if there are none
   */
  record Result(long heap, long threads, long files, List<String> problems) {}

  @Override
  public Integer call() throws Exception {
    PrintStream out = System.out;
    Result result = run(quick ? frames / 20 : frames, out);
    result.problems().forEach(each -> System.err.println("braid: " + each));
    return result.problems().isEmpty() ? 0 : 1;
  }

  Result run(int count, PrintStream out) throws Exception {
    Report report = new Report("fuzz", out);
    Path directory = Files.createTempDirectory("braid-fuzz");
    try (Defects defects = new Defects();
        Listeners listeners = new Listeners(directory)) {
      List<Target> targets =
          listeners.targets().stream().filter(each -> each.name().contains(protocol)).toList();
      if (targets.isEmpty()) {
        throw new IllegalArgumentException("There is no protocol '" + protocol + "'.");
      }
      int each = Math.max(ROUNDS, count / targets.size());
      List<String> problems = new ArrayList<>();
      // Things that are loaded and filled only once are not counted.
      for (Target target : targets) {
        round(target, each / 10, seed, problems);
      }
      long[] before = measured();
      for (Target target : targets) {
        long begin = System.nanoTime();
        for (int i = 1; i <= ROUNDS && problems.isEmpty(); i++) {
          round(target, each * 9 / 10 / ROUNDS, seed + i, problems);
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        if (problems.isEmpty()) {
          int sent = each * 9 / 10 / ROUNDS * ROUNDS;
          Map<String, ?> params = Map.of("frames", sent, "seed", seed);
          report.figure(target.name(), params, sent / seconds, "frames/s", "", 0);
        }
      }
      long[] after = settled(before);
      Result result =
          new Result(after[0] - before[0], after[1] - before[1], after[2] - before[2], problems);
      defects.first().forEach(defect -> problems.add("a defect: " + defect));
      report.atMost("heap that stayed, MiB", 24, result.heap() / 1048576.0);
      report.atMost("threads that stayed", 10, result.threads());
      report.atMost("open files that stayed", 20, result.files());
      report.atMost("defects", 0, defects.count());
      report.end();
      judge(result);
      return result;
    } finally {
      delete(directory);
    }
  }

  private static void judge(Result result) {
    if (result.heap() > 24 << 20) {
      result.problems().add((result.heap() >> 20) + " MiB of memory stayed.");
    }
    if (result.threads() > 10) {
      result.problems().add(result.threads() + " threads stayed.");
    }
    if (result.files() > 20) {
      result.problems().add(result.files() + " open files stayed.");
    }
  }

  private static void round(Target target, int frames, long seed, List<String> problems) {
    try {
      target.send(frames, new SplittableRandom(seed * 31 + target.name().hashCode()));
      target.ask();
    } catch (Exception e) {
      problems.add(target.name() + ", seed " + seed + ": " + e);
    }
  }

  /**
   * Returns the heap in use, the threads and the open files. Each is the least of several readings.
   */
  private static long[] measured() throws InterruptedException {
    long[] least = {Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE};
    for (int i = 0; i < 4; i++) {
      System.gc();
      Thread.sleep(50);
      Runtime runtime = Runtime.getRuntime();
      least[0] = Math.min(least[0], runtime.totalMemory() - runtime.freeMemory());
      least[1] = Math.min(least[1], Thread.activeCount());
      least[2] = Math.min(least[2], files());
    }
    return least;
  }

  /** Measures until the values are about as before, or until connections have had time to end. */
  private static long[] settled(long[] before) throws InterruptedException {
    long[] now = measured();
    for (int i = 0; i < 100 && (now[1] > before[1] + 10 || now[2] > before[2] + 20); i++) {
      Thread.sleep(200);
      now = measured();
    }
    return now;
  }

  private static long files() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? unix.getOpenFileDescriptorCount()
        : 0;
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      files
          .sorted(Comparator.reverseOrder())
          .forEach(
              file -> {
                try {
                  Files.deleteIfExists(file);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
  }
}
