package io.braid.cli.hbase;

import io.braid.core.store.StoreException;
import io.braid.testkit.history.HistoryEntry;
import io.braid.testkit.history.HistoryReader;
import io.braid.testkit.history.HistorySink;
import io.braid.testkit.workload.Journal;
import io.braid.testkit.workload.OpenEntries;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A process of clients, and the thread that reads its history. Entries that were open when the
 * process ended are passed on as unknown.
 */
record ClientProcess(long number, Process process, Thread reader) {
  /** More than a process uses of process numbers and of values. */
  private static final long PROCESSES = 10_000;

  private static final long VALUES = 1_000_000_000;

  /** Where a process begins to number, apart from all others. */
  static Journal.Origin origin(long number) {
    return new Journal.Origin(0, number * PROCESSES, 1 + number * VALUES, 0);
  }

  static ClientProcess start(
      long number, Path data, int clients, int keys, long seed, HistorySink sink) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-Xmx256m"));
    command.addAll(List.of("--add-opens", "java.base/java.nio=ALL-UNNAMED"));
    // Nothing but the history may be on its output.
    command.add("-Dlogback.statusListenerClass=ch.qos.logback.core.status.NopStatusListener");
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add("io.braid.cli.workload.WorkloadProcess");
    Journal.Origin origin = origin(number);
    command.addAll(List.of("append", "--store", "hbase", "--data", data.toString()));
    command.addAll(List.of("--clients", String.valueOf(clients)));
    command.addAll(List.of("--keys", String.valueOf(keys)));
    command.addAll(List.of("--txns", String.valueOf(Integer.MAX_VALUE)));
    command.addAll(List.of("--seed", String.valueOf(seed)));
    command.addAll(List.of("--time", "-1", "--committed", "0"));
    command.addAll(List.of("--process", String.valueOf(origin.process())));
    command.addAll(List.of("--value", String.valueOf(origin.value())));
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      Thread reader = new Thread(() -> read(process, sink), "history-" + number);
      reader.setDaemon(true);
      reader.start();
      return new ClientProcess(number, process, reader);
    } catch (IOException e) {
      throw new StoreException("No process of clients can be started: " + e, e);
    }
  }

  private static void read(Process process, HistorySink sink) {
    OpenEntries open = new OpenEntries(sink);
    try (HistoryReader entries = HistoryReader.from(process.getInputStream())) {
      for (HistoryEntry entry = entries.next(); entry != null; entry = entries.next()) {
        open.record(entry);
      }
    } finally {
      open.giveUp();
    }
  }

  boolean hasEnded() {
    return !process.isAlive() && !reader.isAlive();
  }

  void signal(String signal) {
    try {
      new ProcessBuilder("kill", "-" + signal, String.valueOf(process.pid())).start().waitFor();
    } catch (IOException e) {
      throw new StoreException("A process of clients cannot be signalled: " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("Interrupted.", e);
    }
  }

  void goOn() {
    if (process.isAlive()) {
      signal("CONT");
    }
  }

  /** Kills the process by its handle, so that its output can still be read. */
  void end() {
    process.toHandle().destroyForcibly();
    try {
      reader.join(Duration.ofSeconds(20).toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
