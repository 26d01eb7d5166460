package io.braid.cli.maintenance;

import io.braid.Braid;
import io.braid.Connector;
import io.braid.backup.Backup;
import io.braid.backup.SnapshotBackup;
import io.braid.backup.SnapshotBackup.BackupInfo;
import io.braid.cli.command.Amount;
import io.braid.cli.command.DatabaseOptions;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.Progress;
import io.braid.cli.command.UsageException;
import io.braid.core.time.Timestamp;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Backups that HBase keeps: how they are asked for, made, listed, deleted and restored. */
final class KeptSnapshots {
  @Option(
      names = "--snapshot",
      paramLabel = "NAME",
      description = "Have HBase keep all tables under this name, instead of writing a folder.")
  @Nullable String name;

  @Option(names = "--snapshots", description = "List the snapshots there are in the cluster.")
  boolean list;

  @Option(names = "--delete", description = "Delete the snapshot of --snapshot.")
  boolean delete;

  boolean isAsked() {
    return name != null || list || delete;
  }

  /** Makes, lists or deletes. */
  Integer call(DatabaseOptions database, OutputOptions output) {
    String wanted = name;
    if (list == (wanted != null)) {
      throw new UsageException("Name a snapshot with --snapshot, or list them with --snapshots.");
    }
    try (Progress progress = new Progress(output.err());
        Braid db = database.openExisting()) {
      SnapshotBackup backup = backup(progress);
      if (wanted == null) {
        print(SnapshotBackup.list(db.store()), output);
      } else if (delete) {
        backup.delete(db, wanted);
        progress.close();
        output.print(Map.of("snapshot", wanted, "deleted", true), "Deleted snapshot " + wanted);
      } else {
        BackupInfo taken = backup.create(db, wanted);
        progress.close();
        output.print(json(taken), text("Made", taken));
      }
      return ExitCode.DONE;
    }
  }

  private static SnapshotBackup backup(Progress progress) {
    return new SnapshotBackup(shown(progress));
  }

  /** Shows how much of each step is done; the total is not known before. */
  static Backup.Progress shown(Progress progress) {
    return (step, done) -> progress.show(step, done, unit(step));
  }

  private static String unit(String step) {
    if (step.contains("rows")) {
      return "rows";
    }
    return step.contains("tables") ? "tables" : "";
  }

  static Integer restore(String name, DatabaseOptions database, OutputOptions output) {
    if (database.store != DatabaseOptions.Engine.hbase) {
      throw new UsageException("HBase alone keeps snapshots: add --store hbase.");
    }
    try (Progress progress = new Progress(output.err());
        Connector.ExclusiveDatabase vacant =
            Connector.find().vacant(database.configuration().checked())) {
      BackupInfo taken = backup(progress).restore(vacant, name);
      progress.close();
      output.print(json(taken), text("Restored", taken));
      return ExitCode.DONE;
    }
  }

  private static void print(List<BackupInfo> all, OutputOptions output) {
    String text =
        all.isEmpty()
            ? "There is no snapshot of Braid's."
            : all.stream().map(KeptSnapshots::line).collect(Collectors.joining("\n"));
    output.print(Map.of("snapshots", all.stream().map(KeptSnapshots::json).toList()), text);
  }

  private static String line(BackupInfo taken) {
    return taken.name()
        + "  "
        + Timestamp.instant(taken.timestamp())
        + "  "
        + (taken.whole() ? String.join(", ", taken.tables()) : "not whole: delete it");
  }

  private static String text(String what, BackupInfo taken) {
    return String.format(
        "%s snapshot %s: %s as of %d (%s).",
        what,
        taken.name(),
        Amount.of(taken.tables().size(), "table"),
        taken.timestamp(),
        Timestamp.instant(taken.timestamp()));
  }

  private static Map<String, Object> json(BackupInfo taken) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("snapshot", taken.name());
    object.put("timestamp", OutputOptions.timestamp(taken.timestamp()));
    object.put("whole", taken.whole());
    object.put("tables", taken.tables());
    return object;
  }
}
