package io.braid.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The processor time that all other processes have used since a mark. A busy neighbour distorts the
 * tail of measured latencies.
 *
 * @param busySeconds the time that all processors were busy, since the system started
 * @param ownSeconds the part of that time that this process used
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

  /** Returns the average share of one core since the mark; 0 if the system does not report it. */
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
