package io.braid.cli.workload;

import io.braid.core.store.StoreException;
import io.braid.testkit.history.HistoryEntry;
import io.braid.testkit.history.HistoryReader;
import io.braid.testkit.workload.Journal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Runs a workload in one process after another, each of which is killed (SIGKILL) some time after
 * its first transaction, until enough transactions have committed. Each sends its entries through a
 * pipe, which outlives it.
 */
final class KilledRuns implements AutoCloseable {
  private static final Duration START_UP = Duration.ofMinutes(2);

  private final LongFunction<List<String>> arguments;
  private final Duration killEvery;
  private final WorkloadProgress progress;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "killer");
            thread.setDaemon(true);
            return thread;
          });
  private int kills;

  /**
   * @param arguments for {@link WorkloadProcess}, by how many transactions shall have committed
   */
  KilledRuns(LongFunction<List<String>> arguments, Duration killEvery, WorkloadProgress progress) {
    this.arguments = arguments;
    this.killEvery = killEvery;
    this.progress = progress;
  }

  /** How many processes were killed. */
  int kills() {
    return kills;
  }

  /**
   * Runs the next process to its end.
   *
   * @param wanted how many transactions shall have committed then, unless it is killed
   */
  void runOne(long wanted) {
    AtomicBoolean killed = new AtomicBoolean();
    Process process = start(wanted);
    try {
      follow(process, wanted, killed);
      int code = process.waitFor();
      progress.giveUp();
      if (killed.get()) {
        kills++;
      } else if (code != 0) {
        throw new StoreException("The process of the workload ended with exit code " + code + ".");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("The workload was interrupted.", e);
    } finally {
      process.destroyForcibly();
    }
  }

  private Process start(long wanted) {
    Journal.Origin origin = progress.next();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // The process does not live long enough for the second compiler.
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    // RocksDB is native; newer JVMs remark on that otherwise.
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(WorkloadProcess.class.getName());
    command.addAll(arguments.apply(wanted));
    command.addAll(List.of("--time", String.valueOf(origin.time())));
    command.addAll(List.of("--process", String.valueOf(origin.process())));
    command.addAll(List.of("--value", String.valueOf(origin.value())));
    command.addAll(List.of("--committed", String.valueOf(origin.committed())));
    try {
      return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    } catch (IOException e) {
      throw new UncheckedIOException("No process could be started for the workload.", e);
    }
  }

  private void follow(Process process, long wanted, AtomicBoolean killed) {
    ScheduledFuture<?> stillborn =
        timer.schedule(() -> kill(process), START_UP.toMillis(), TimeUnit.MILLISECONDS);
    ScheduledFuture<?> kill = null;
    try (HistoryReader entries = HistoryReader.from(process.getInputStream())) {
      for (HistoryEntry entry = entries.next(); entry != null; entry = entries.next()) {
        if (kill == null) {
          stillborn.cancel(false);
          kill = killLater(process, wanted, killed);
        }
        progress.record(entry);
      }
    } finally {
      stillborn.cancel(false);
      cancel(kill);
    }
  }

  private ScheduledFuture<?> killLater(Process process, long wanted, AtomicBoolean killed) {
    return timer.schedule(
        () -> {
          if (progress.committed() < wanted && process.isAlive()) {
            killed.set(true);
            kill(process);
          }
        },
        killEvery.toMillis(),
        TimeUnit.MILLISECONDS);
  }

  /**
   * Kills a process by its handle: {@link Process#destroyForcibly} would close the pipe and lose
   * its contents.
   */
  private static void kill(Process process) {
    process.toHandle().destroyForcibly();
  }

  private static void cancel(@Nullable ScheduledFuture<?> future) {
    if (future != null) {
      future.cancel(false);
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
