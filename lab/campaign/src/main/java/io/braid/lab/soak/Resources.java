package io.braid.lab.soak;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The resources that the process uses, measured again and again. A resource is flat if its median
 * in the last third of the time is not above its median in the second third. The usual variation of
 * a process is allowed.
 */
final class Resources {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final double MORE = 1.2;

  private final Map<String, Use> uses = new LinkedHashMap<>();

  /**
   * One of them.
   *
   * @param varies by how much it may be more without being a leak, beside a fifth
   */
  private record Use(String unit, long varies, List<Long> seen) {}

  Resources() {
    uses.put("heap", new Use("MiB", 16, new ArrayList<>()));
    uses.put("memory", new Use("MiB", 64, new ArrayList<>()));
    uses.put("files", new Use("", 32, new ArrayList<>()));
    uses.put("threads", new Use("", 8, new ArrayList<>()));
  }

  /** Looks, after the garbage of the heap is collected. */
  void look() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    saw("heap", (runtime.totalMemory() - runtime.freeMemory()) >> 20);
    resident().ifPresent(kib -> saw("memory", kib >> 10));
    if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix) {
      saw("files", unix.getOpenFileDescriptorCount());
    }
    saw("threads", ManagementFactory.getThreadMXBean().getThreadCount());
  }

  /** Adds a measurement; for tests. */
  void saw(String name, long value) {
    Use use = uses.get(name);
    if (use != null) {
      use.seen.add(value);
    }
  }

  private static Optional<Long> resident() {
    try {
      return Files.readAllLines(STATUS).stream()
          .filter(line -> line.startsWith("VmRSS:"))
          .map(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
          .findFirst();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Returns the present use, as text. */
  String now() {
    List<String> all = new ArrayList<>();
    uses.forEach(
        (name, use) -> {
          if (!use.seen.isEmpty()) {
            all.add(name + " " + use.seen.get(use.seen.size() - 1) + unit(use));
          }
        });
    return String.join(", ", all);
  }

  private static String unit(Use use) {
    return use.unit.isEmpty() ? "" : " " + use.unit;
  }

  /** Medians of the second and the last third, by name. */
  Map<String, List<Long>> medians() {
    Map<String, List<Long>> medians = new LinkedHashMap<>();
    uses.forEach(
        (name, use) -> {
          int third = use.seen.size() / 3;
          if (third > 0) {
            medians.put(
                name,
                List.of(
                    median(use.seen.subList(third, 2 * third)),
                    median(use.seen.subList(2 * third, use.seen.size()))));
          }
        });
    return medians;
  }

  private static long median(List<Long> values) {
    return values.stream().sorted().skip(values.size() / 2).findFirst().orElse(0L);
  }

  /** Returns what is not flat, as text; empty if everything is. */
  List<String> grown() {
    List<String> grown = new ArrayList<>();
    medians()
        .forEach(
            (name, two) -> {
              Use use = uses.get(name);
              if (use != null && two.get(1) > two.get(0) * MORE + use.varies) {
                grown.add(
                    name + " grew from " + two.get(0) + " to " + two.get(1) + unit(use) + ".");
              }
            });
    return grown;
  }
}
