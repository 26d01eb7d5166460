package io.braid.simulation.schedule;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The events of a run, folded into one number: equal runs have equal hashes. Keeps the last events
 * for the report of a failure, and can print all of them.
 */
public final class Trace {
  private static final int KEPT = 64;

  private final @Nullable Consumer<String> printer;
  private final long[] nanos = new long[KEPT];
  private final String[] who = new String[KEPT];
  private final String[] what = new String[KEPT];
  private final long[] detail = new long[KEPT];
  private long hash = 0x243f6a8885a308d3L;
  private long count;

  public Trace(@Nullable Consumer<String> printer) {
    this.printer = printer;
  }

  /** Adds an event at a simulated time. */
  public void add(long nanos, String who, String what, long detail) {
    long event =
        SimRandom.mix(nanos ^ SimRandom.mix(who.hashCode() + ((long) what.hashCode() << 32)));
    hash = SimRandom.mix(hash * 31 + event + SimRandom.mix(detail));
    int at = (int) (count++ % KEPT);
    this.nanos[at] = nanos;
    this.who[at] = who;
    this.what[at] = what;
    this.detail[at] = detail;
    if (printer != null) {
      printer.accept(line(at));
    }
  }

  private String line(int at) {
    return String.format("%17.9f  %-24s %s %x", nanos[at] / 1e9, who[at], what[at], detail[at]);
  }

  /** Returns the hash as 16 hexadecimal digits. */
  public String hash() {
    return String.format("%016x", hash);
  }

  /** How many events there were. */
  public long count() {
    return count;
  }

  /** The newest events, oldest first. */
  public List<String> tail() {
    List<String> lines = new ArrayList<>();
    for (long i = Math.max(0, count - KEPT); i < count; i++) {
      lines.add(line((int) (i % KEPT)));
    }
    return lines;
  }
}
