package io.braid.cli;

import io.braid.Braid;
import io.braid.backup.Backup;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Makes a database out of a backup. */
@Command(
    name = "restore",
    description = {
      "Makes a database out of a backup, checking every byte, and counts what is in it.",
      "With increments, in their order, it is as it was when the last one was made.",
      "Nothing is overwritten: the database is made where none is. With --store hbase a backup of rows"
          + " is restored into a cluster that has no table of Braid's yet."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid restore /backups/monday --data restored-data",
      "  braid restore /backups/monday /backups/tuesday --data restored-data",
      "  braid restore /backups/monday --data restored-data --json",
      "  braid restore /backups/monday --store hbase --config braid.conf"
    })
final class RestoreCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "FOLDER",
      arity = "1..*",
      description = "The backup, then its increments, each made since the one before.")
  List<Path> folders = List.of();

  @Mixin DatabaseOptions database = new DatabaseOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() {
    try (Progress progress = new Progress(output.err())) {
      Backup backup =
          new Backup((step, done) -> progress.show(step, done, done, BackupCommand.unit(step)));
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
      return backup.restore(first, increments, database.data);
    }
    try (Braid db = database.open()) {
      return backup.restoreInto(db, first, increments);
    }
  }
}
