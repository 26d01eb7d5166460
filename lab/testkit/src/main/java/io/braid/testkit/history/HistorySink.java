package io.braid.testkit.history;

/** Takes the entries of a history as transactions end. Safe for many threads. */
@FunctionalInterface
public interface HistorySink {
  void record(HistoryEntry entry);
}
