package io.braid.cli.workload;

import io.braid.testkit.history.HistoryEntry;
import io.braid.testkit.history.HistoryEntry.Type;
import io.braid.testkit.history.HistorySink;
import io.braid.testkit.history.Op;
import io.braid.testkit.workload.Journal;
import io.braid.testkit.workload.OpenEntries;
import java.util.EnumMap;
import java.util.Map;

/**
 * Follows a workload over the processes that run it, one after another: passes its history on, and
 * says where the next one begins so that times, processes and values stay unique.
 */
final class WorkloadProgress implements HistorySink {
  /** More values than a client draws in a transaction that may leave no trace. */
  private static final int UNSEEN_VALUES = 16;

  private final long began = System.nanoTime();
  private final int clients;
  private final OpenEntries entries;
  private final Map<Type, Long> counts = new EnumMap<>(Type.class);
  private long time;
  private long process;
  private long value = Journal.Origin.ZERO.value();

  WorkloadProgress(int clients, HistorySink history) {
    this.clients = clients;
    this.entries =
        new OpenEntries(
            entry -> {
              counts.merge(entry.type(), 1L, Long::sum);
              history.record(entry);
            });
  }

  @Override
  public synchronized void record(HistoryEntry entry) {
    time = Math.max(time, entry.end() + 1);
    process = Math.max(process, entry.process() + 1);
    value++;
    for (Op op : entry.ops()) {
      value += op instanceof Op.Append || op instanceof Op.Insert ? 1 : 0;
    }
    entries.record(entry);
  }

  /** The process that ran the workload is gone. */
  synchronized void giveUp() {
    entries.giveUp();
    process += clients;
    value += (long) clients * UNSEEN_VALUES;
  }

  /** Where the journal of the next process begins. */
  synchronized Journal.Origin next() {
    time = Math.max(time, System.nanoTime() - began);
    return new Journal.Origin(time, process, value, committed());
  }

  synchronized long committed() {
    return counts.getOrDefault(Type.OK, 0L);
  }

  /** How many transactions of the history ended in which way. */
  synchronized long count(Type type) {
    return counts.getOrDefault(type, 0L);
  }
}
