package io.braid.cli;

import io.braid.backup.Backup;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes a database out of a backup. */
@Command(
    name = "restore",
    description = {
      "Makes a database out of a backup, checking every byte, and counts what is in it.",
      "With increments, in their order, it is as it was when the last one was made.",
      "Nothing is overwritten: the database is made where none is."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid restore /backups/monday --data restored-data",
      "  braid restore /backups/monday /backups/tuesday --data restored-data",
      "  braid restore /backups/monday --data restored-data --json"
    })
final class RestoreCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "FOLDER",
      arity = "1..*",
      description = "The backup, then its increments, each made since the one before.")
  List<Path> folders = List.of();

  @Option(
      names = "--data",
      paramLabel = "DIR",
      required = true,
      description = "Directory of the new database.")
  Path data = Path.of("");

  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() {
    try (Progress progress = new Progress(output.err())) {
      Backup backup =
          new Backup((step, done) -> progress.show(step, done, done, BackupCommand.unit(step)));
      Backup.Contents contents =
          backup.restore(folders.get(0), folders.subList(1, folders.size()), data);
      progress.close();
      output.print(
          BackupCommand.json(data, contents), BackupCommand.text("Restored", data, contents));
      return ExitCode.DONE;
    }
  }
}
