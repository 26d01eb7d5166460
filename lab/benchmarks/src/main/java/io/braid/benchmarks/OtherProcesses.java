package io.braid.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How much of the processors all other processes have had since a mark. A tail of latencies that
 * was measured beside a busy neighbour tells of the neighbour.
 *
 * @param busySeconds that all processors were busy, since the system started
 * @param ownSeconds that this process had of them
 */
record OtherProcesses(long nanos, double busySeconds, double ownSeconds) {
  private static final Path STAT = Path.of("/proc/stat");
  private static final double TICKS = 100;

  static OtherProcesses mark() {
    double own = 0;
    if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system) {
      own = system.getProcessCpuTime() / 1e9;
    }
    return new OtherProcesses(System.nanoTime(), busy(), own);
  }

  /** Of one core, on the average since the mark; 0 where the system does not tell. */
  double share() {
    OtherProcesses now = mark();
    double others = now.busySeconds - busySeconds - (now.ownSeconds - ownSeconds);
    return Math.max(0, others) / ((now.nanos - nanos) / 1e9);
  }

  private static double busy() {
    try {
      if (!Files.isReadable(STAT)) {
        return 0;
      }
      // cpu user nice system idle iowait irq softirq steal ...
      String[] ticks = Files.readAllLines(STAT).get(0).trim().split(" +");
      long busy = 0;
      for (int i : new int[] {1, 2, 3, 6, 7, 8}) {
        busy += Long.parseLong(ticks[i]);
      }
      return busy / TICKS;
    } catch (IOException | RuntimeException e) {
      return 0;
    }
  }
}
