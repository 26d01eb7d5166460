package io.braid.cli.workload;

import io.braid.Braid;
import io.braid.cli.command.DatabaseOptions;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.Failures;
import io.braid.core.runtime.SystemSeams;
import io.braid.testkit.history.HistoryClock;
import io.braid.testkit.history.HistoryRecorder;
import io.braid.testkit.workload.Journal;
import io.braid.testkit.workload.WorkloadRun;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * A process that runs a part of a workload and may be killed at any time. Its entries go to its
 * output, with nothing between client and pipe that would die with it.
 */
@Command(name = "workload-process")
final class WorkloadProcess implements Callable<Integer> {
  @Mixin WorkloadOptions options = new WorkloadOptions();
  @Mixin DatabaseOptions database = new DatabaseOptions();

  /** Negative: that of the machine, so that processes which run at once agree. */
  @Option(names = "--time", required = true)
  long time;

  @Option(names = "--process", required = true)
  long process;

  @Option(names = "--value", required = true)
  long value;

  @Option(names = "--committed", required = true)
  long committed;

  public static void main(String[] args) {
    CommandLine command =
        new CommandLine(new WorkloadProcess()).setExecutionExceptionHandler(new Failures());
    System.exit(command.execute(args));
  }

  @Override
  public Integer call() {
    SystemSeams seams = new SystemSeams();
    try (HistoryRecorder recorder = HistoryRecorder.to(new FileOutputStream(FileDescriptor.out));
        Braid db = database.open(options.configure(database.configuration()))) {
      HistoryClock clock =
          time < 0 ? HistoryClock.shared(seams::nanoTime) : new HistoryClock(seams::nanoTime, time);
      Journal journal =
          new Journal(clock, new Journal.Origin(time, process, value, committed), recorder);
      new WorkloadRun(
              options.workload(), db.transactions(), seams, journal, options.seed * 31 + process)
          .run(options.clients, options.transactions - committed);
      return ExitCode.DONE;
    }
  }
}
