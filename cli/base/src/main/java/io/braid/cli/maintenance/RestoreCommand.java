package io.braid.cli.maintenance;

import io.braid.Braid;
import io.braid.backup.Backup;
import io.braid.cli.command.DatabaseOptions;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.Progress;
import io.braid.cli.command.UsageException;
import io.braid.core.time.Timestamp;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes a database out of a backup. */
@Command(
    name = "restore",
    description = {
      "Makes a database out of a backup, checking every byte, and counts what is in it.",
      "With increments, in their order, it is as it was when the last one was made, or with --at at a"
          + " moment before that: the last one must hold changes of every table, not all rows"
          + " ('braid table changes TABLE --keep 8d').",
      "Nothing is overwritten: the database is made where none is. With --store hbase a backup of rows"
          + " is restored into a cluster that has no table of Braid's yet.",
      "With --snapshot the tables that HBase has kept become those of a database without tables, as"
          + " they were at one timestamp. Nobody can use it until that is done; broken off, do it"
          + " again."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid restore /backups/monday --data restored-data",
      "  braid restore /backups/monday /backups/tuesday --data restored-data",
      "  braid restore /backups/monday /backups/tuesday --at 2026-05-05T09:59:00Z --data restored-data",
      "  braid restore /backups/monday --data restored-data --json",
      "  braid restore /backups/monday --store hbase --config braid.conf",
      "  braid restore --snapshot monday --store hbase --config other.conf"
    })
public final class RestoreCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "FOLDER",
      arity = "0..*",
      description = "The backup, then its increments, each made since the one before.")
  List<Path> folders = List.of();

  @Option(
      names = "--snapshot",
      paramLabel = "NAME",
      description = "The snapshot that 'braid backup --snapshot' made, instead of folders.")
  @Nullable String snapshot;

  @Option(
      names = "--at",
      paramLabel = "MOMENT",
      description =
          "With increments: leave out what was committed after this timestamp, or time such as"
              + " 2026-05-05T09:59:00Z.")
  @Nullable String at;

  @Mixin DatabaseOptions database = new DatabaseOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() {
    if (folders.isEmpty() == (snapshot == null)) {
      throw new UsageException("Name the folders of a backup, or --snapshot NAME.");
    }
    if (at != null && folders.size() < 2) {
      throw new UsageException("--at is a moment within an increment: name its folder too.");
    }
    if (snapshot != null) {
      return KeptSnapshots.restore(snapshot, database, output);
    }
    try (Progress progress = new Progress(output.err())) {
      Backup backup = new Backup(BackupCommand.shown(progress));
      Backup.Contents contents = restore(backup);
      progress.close();
      output.print(
          BackupCommand.json(database.data, contents),
          BackupCommand.text("Restored", database.data, contents));
      return ExitCode.DONE;
    }
  }

  private Backup.Contents restore(Backup backup) {
    Path first = folders.get(0);
    List<Path> increments = folders.subList(1, folders.size());
    if (database.store == DatabaseOptions.Engine.rocksdb) {
      return backup.restore(first, increments, moment(), database.data);
    }
    try (Braid db = database.open()) {
      return backup.restoreInto(db, first, increments, moment());
    }
  }

  private long moment() {
    if (at == null) {
      return Timestamp.MAX;
    }
    OptionalLong printed = Timestamp.parse(at);
    try {
      return printed.isPresent() ? printed.getAsLong() : Timestamp.lastAt(Instant.parse(at));
    } catch (DateTimeParseException e) {
      throw new UsageException(
          "'" + at + "' is neither a timestamp nor a time such as 2026-05-05T09:59:00Z.");
    }
  }
}
