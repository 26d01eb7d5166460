package io.braid.benchmarks.hbase;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The processor time of this process and of a cluster's processes on this machine, in all their
 * threads. The time shows the cost of an operation, independent of other load on the machine.
 */
final class Processors {
  private final List<ProcessHandle> processes = new ArrayList<>(List.of(ProcessHandle.current()));

  /**
   * @param site the site of the cluster; only a cluster of 'braid dev-cluster' counts
   */
  Processors(Path site) throws IOException {
    processes.addAll(of(site));
  }

  /** Returns the processes of a cluster of 'braid dev-cluster'; empty for another cluster. */
  static List<ProcessHandle> of(Path site) throws IOException {
    List<ProcessHandle> processes = new ArrayList<>();
    Path notes = site.resolveSibling("run");
    if (Files.isDirectory(notes)) {
      try (Stream<Path> files = Files.list(notes)) {
        for (Path file : files.toList()) {
          String[] words = Files.readString(file).split(" ");
          ProcessHandle.of(Long.parseLong(words[0]))
              .filter(each -> began(each) == Long.parseLong(words[1]))
              .ifPresent(processes::add);
        }
      }
    }
    return processes;
  }

  private static long began(ProcessHandle process) {
    return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
  }

  long micros() {
    return micros(processes);
  }

  static long micros(List<ProcessHandle> processes) {
    return processes.stream()
            .map(each -> each.info().totalCpuDuration().orElse(Duration.ZERO))
            .mapToLong(Duration::toNanos)
            .sum()
        / 1000;
  }
}
