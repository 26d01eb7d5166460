package io.braid.cli.maintenance;

import io.braid.Braid;
import io.braid.backup.Backup;
import io.braid.cli.command.Amount;
import io.braid.cli.command.DatabaseOptions;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.Progress;
import io.braid.cli.command.UsageException;
import io.braid.core.time.Timestamp;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes or verifies a backup. */
@Command(
    name = "backup",
    description = {
      "Copies a database as it is at one moment, reads the copy back, and counts what is in it.",
      "With --since, makes an increment: what has changed since a backup or another increment. Tables"
          + " whose changes are kept ('braid table changes') bring those, others all their rows.",
      "The folder appears when all is done; nothing is overwritten. A server that runs makes one with"
          + " PUT /v1/backups/NAME.",
      "With --snapshot, HBase keeps all tables as they are at one timestamp, in seconds and without"
          + " copying: beside the data, so a disk that is lost takes both."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid backup /backups/monday",
      "  braid backup /backups/monday --data other-data --json",
      "  braid backup /backups/tuesday --since /backups/monday",
      "  braid backup /backups/monday --rows",
      "  braid backup /backups/monday --store hbase --config braid.conf",
      "  braid backup /backups/monday --verify",
      "  braid backup --snapshot monday --store hbase",
      "  braid backup --snapshots --store hbase",
      "  braid backup --snapshot monday --delete --store hbase"
    })
public final class BackupCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "FOLDER",
      arity = "0..1",
      description = "Where the backup is to be, or is.")
  @Nullable Path folder;

  @Option(
      names = "--since",
      paramLabel = "FOLDER",
      description = "The backup or the increment that an increment goes on from.")
  @Nullable Path since;

  @Option(
      names = "--rows",
      description = {
        "Write all rows as text instead of copying files: slower and larger, and it can be restored"
            + " into any store. A database in HBase is always backed up so."
      })
  boolean rows;

  @Option(names = "--verify", description = "Compare a backup with its checksums; copy nothing.")
  boolean verify;

  @Mixin KeptSnapshots snapshot = new KeptSnapshots();
  @Mixin DatabaseOptions database = new DatabaseOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() {
    if (snapshot.isAsked()) {
      if (folder != null || since != null || rows || verify) {
        throw new UsageException("Snapshots are in no folder, and of all tables: name them alone.");
      }
      return snapshot.call(database, output);
    }
    Path place = folder;
    if (place == null) {
      throw new UsageException("Name the folder of the backup, or --snapshot NAME.");
    }
    return toFolder(place);
  }

  private Integer toFolder(Path folder) {
    try (Progress progress = new Progress(output.err())) {
      Backup backup = new Backup(shown(progress));
      Backup.Contents contents;
      if (verify && (since != null || rows)) {
        throw new UsageException("--verify takes the folder alone, without --since and --rows.");
      }
      if (since != null && rows) {
        throw new UsageException("An increment brings what has changed: leave --rows out.");
      }
      if (verify) {
        contents = backup.verify(folder);
      } else {
        try (Braid db = database.openExisting()) {
          contents = make(backup, db, folder);
        }
      }
      progress.close();
      output.print(
          json(folder, contents), text(verify ? "Verified" : "Backed up", folder, contents));
      return ExitCode.DONE;
    }
  }

  private Backup.Contents make(Backup backup, Braid db, Path folder) {
    if (since != null) {
      return backup.increment(db, since, folder);
    }
    return rows ? backup.createOfRows(db, folder) : backup.create(db, folder);
  }

  /** Shows how much of each step is done; the total is not known before. */
  static Backup.Progress shown(Progress progress) {
    return (step, done) -> progress.show(step, done, step.contains("rows") ? "rows" : "bytes");
  }

  static Map<String, Object> json(Path folder, Backup.Contents contents) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("folder", folder.toString());
    object.put("timestamp", OutputOptions.timestamp(contents.timestamp()));
    object.put("files", contents.files());
    object.put("bytes", contents.bytes());
    object.put("rows", contents.rows());
    return object;
  }

  static String text(String what, Path folder, Backup.Contents contents) {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%s %s: %,d bytes in %s, begun at %d (%s).",
            what,
            folder,
            contents.bytes(),
            Amount.of(contents.files(), "file"),
            contents.timestamp(),
            Timestamp.instant(contents.timestamp())));
    contents
        .rows()
        .forEach(
            (table, rows) ->
                text.append(String.format("%n  %s: %s", table, Amount.of(rows, "row"))));
    return text.toString();
  }
}
