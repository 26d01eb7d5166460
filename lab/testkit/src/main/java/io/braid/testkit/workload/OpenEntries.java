package io.braid.testkit.workload;

import io.braid.testkit.history.HistoryEntry;
import io.braid.testkit.history.HistoryEntry.Type;
import io.braid.testkit.history.HistorySink;
import java.util.Map;
import java.util.TreeMap;

/**
 * Turns what clients record into a history: an INFO entry is kept until its process records the
 * same transaction once more, or until it is known that it never will. Safe for many threads.
 */
public final class OpenEntries implements HistorySink {
  private final HistorySink sink;
  private final Map<Long, HistoryEntry> open = new TreeMap<>();

  public OpenEntries(HistorySink sink) {
    this.sink = sink;
  }

  @Override
  public synchronized void record(HistoryEntry entry) {
    if (entry.type() == Type.INFO) {
      open.put(entry.process(), entry);
    } else {
      open.remove(entry.process());
      sink.record(entry);
    }
  }

  /** Passes on what is still open: its clients are gone, or never learned the outcome. */
  public synchronized void giveUp() {
    open.values().forEach(sink::record);
    open.clear();
  }
}
