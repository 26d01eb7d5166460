package io.braid.cli.maintenance;

import io.braid.Braid;
import io.braid.Setting;
import io.braid.backup.BackupPins;
import io.braid.cli.command.DatabaseOptions;
import io.braid.cli.command.DurationConverter;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.Progress;
import io.braid.core.failure.ErrorCode;
import io.braid.core.time.ClockReading;
import io.braid.core.time.Timestamp;
import io.braid.percolator.garbage.CollectionReport;
import io.braid.percolator.garbage.CollectionRequest;
import io.braid.percolator.garbage.Rate;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Collects garbage now. */
@Command(
    name = "gc",
    description =
        "Removes versions that no snapshot can need any more. Pins, open snapshots and undecided"
            + " transactions keep what they need; snapshots older than --keep are refused from"
            + " then on.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid gc --dry-run",
      "  braid gc --keep 1h --rate 10000/s",
      "  braid gc --table accounts --keep 0s --json"
    })
public final class GcCommand implements Callable<Integer> {
  @Option(
      names = "--table",
      paramLabel = "TABLE",
      description = "Only this table; otherwise all, beginning where the last one was broken off.")
  @Nullable String table;

  @Option(
      names = "--keep",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "How far back every snapshot stays readable (default: gc.keep).")
  @Nullable Duration keep;

  @Option(
      names = "--rate",
      paramLabel = "RATE",
      converter = RateConverter.class,
      description = "At most so many rows (10000/s) or bytes (8 MiB/s) (default: unlimited).")
  Rate rate = Rate.UNLIMITED;

  @Option(names = "--dry-run", description = "Only count what would go.")
  boolean dryRun;

  @Option(
      names = "--confirm-clock",
      description =
          "Believe the clock of this machine, which differs from the database's newest timestamp"
              + " by more than a week. Look at the clock first: what is older than gc.keep by it"
              + " can be collected from then on.")
  boolean confirmClock;

  @Mixin DatabaseOptions database = new DatabaseOptions();
  @Mixin OutputOptions output = new OutputOptions();

  /** Rates as people write them. */
  static final class RateConverter implements ITypeConverter<Rate> {
    @Override
    public Rate convert(String text) {
      try {
        return Rate.parse(text);
      } catch (IllegalArgumentException | ArithmeticException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }

  @Override
  public Integer call() {
    Duration kept = keep == null ? database.configuration().get(Setting.GC_KEEP) : keep;
    CollectionRequest request =
        new CollectionRequest(Optional.ofNullable(table), kept, rate, dryRun);
    if (confirmClock) {
      return confirmClock();
    }
    try (Braid db = database.openExisting();
        Progress progress = new Progress(output.err())) {
      if (!dryRun) {
        BackupPins.removeDead(db);
      }
      Optional<CollectionReport> report =
          db.operations().collector().collect(request, each -> show(progress, each), () -> false);
      progress.close();
      if (report.isEmpty()) {
        output.refused(ErrorCode.BUSY, "another collection is running; try again later.");
        return ExitCode.UNAVAILABLE;
      }
      output.print(json(report.get()), text(report.get()));
      return report.get().counts().skipped() == 0 ? ExitCode.DONE : ExitCode.FAILED;
    }
  }

  /** Confirms the clock and prints the result; collects nothing. */
  private int confirmClock() {
    try (Braid db = database.openExisting()) {
      ClockReading before = db.operations().clock().orElse(null);
      db.operations().confirmClock();
      boolean was = before != null && before.doubtful();
      String text =
          before != null && was
              ? "The clock is believed: "
                  + before.wall()
                  + ". The newest timestamp was of "
                  + before.newest()
                  + "."
              : "The clock was believed already.";
      output.print(Map.of("confirmed", was), text);
      return ExitCode.DONE;
    }
  }

  private static void show(Progress progress, CollectionReport report) {
    progress.show(
        "collecting",
        report.tabletsDone(),
        report.tablets(),
        String.format(
            Locale.ROOT,
            "tablets, %,d rows, %,d cells",
            report.counts().rows(),
            report.counts().removed()));
  }

  private static Map<String, Object> json(CollectionReport report) {
    CollectionReport.Counts counts = report.counts();
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("dry_run", report.dryRun());
    object.put("watermark", OutputOptions.timestamp(report.watermark()));
    object.put("horizon", OutputOptions.timestamp(report.horizon()));
    object.put("held_by", report.heldBy());
    object.put("complete", report.complete());
    object.put("rows", counts.rows());
    object.put("superseded", counts.superseded());
    object.put("deletes", counts.deletes());
    object.put("locks", counts.locks());
    object.put("marks", counts.marks());
    object.put("large_values", counts.large());
    object.put("bytes", counts.bytes());
    object.put("skipped_rows", counts.skipped());
    object.put("millis", report.elapsed().toMillis());
    return object;
  }

  private static String text(CollectionReport report) {
    CollectionReport.Counts counts = report.counts();
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%s %,d cells (%,d bytes) in %,d rows: %,d superseded values (%,d of them large), %,d"
                + " deletions, %,d locks, %,d rollback marks.%n",
            report.dryRun() ? "Could remove" : "Removed",
            counts.removed(),
            counts.bytes(),
            counts.rows(),
            counts.superseded(),
            counts.large(),
            counts.deletes(),
            counts.locks(),
            counts.marks()));
    if (counts.skipped() > 0) {
      text.append(
          String.format(Locale.ROOT, "%,d rows are left to the next one.%n", counts.skipped()));
    }
    text.append(
        String.format(
            Locale.ROOT,
            "Snapshots from %s on %s; not later because %s.",
            Timestamp.toText(report.watermark()),
            report.dryRun() ? "would stay readable" : "stay readable",
            report.heldBy()));
    return text.toString();
  }
}
