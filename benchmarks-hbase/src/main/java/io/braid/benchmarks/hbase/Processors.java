package io.braid.benchmarks.hbase;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The processor time of this process and of those of a cluster on this machine, all their threads:
 * what an operation costs, whatever else the machine does.
 */
final class Processors {
  private final List<ProcessHandle> processes = new ArrayList<>(List.of(ProcessHandle.current()));

  /**
   * @param site of the cluster; one that is not of 'braid dev-cluster' counts not
   */
  Processors(Path site) throws IOException {
    Path notes = site.resolveSibling("run");
    if (Files.isDirectory(notes)) {
      try (Stream<Path> files = Files.list(notes)) {
        for (Path file : files.toList()) {
          long pid = Long.parseLong(Files.readString(file).split(" ")[0]);
          ProcessHandle.of(pid).ifPresent(processes::add);
        }
      }
    }
  }

  long micros() {
    return processes.stream()
            .map(each -> each.info().totalCpuDuration().orElse(Duration.ZERO))
            .mapToLong(Duration::toNanos)
            .sum()
        / 1000;
  }
}
