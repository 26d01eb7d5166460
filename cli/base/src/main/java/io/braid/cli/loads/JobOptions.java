package io.braid.cli.loads;

import io.braid.batch.input.FilePlaces;
import io.braid.gateway.node.NodeConfig;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Where jobs are kept. */
final class JobOptions {
  @Option(
      names = "--jobs",
      paramLabel = "DIR",
      converter = OnDisk.class,
      description =
          "Directory of the jobs, on a disk of this machine or one that several machines mount"
              + " (default: beside the database: DATA.jobs, and braid-jobs beside braid-data).")
  private @Nullable Path directory;

  /** Where the jobs of a database are, unless the user names another place. */
  Path directory(Path data) {
    return directory == null ? NodeConfig.beside(data, "jobs") : directory;
  }

  /** For verbs that only look at the jobs of a database, and do not open it. */
  static final class Kept {
    @Option(
        names = "--data",
        paramLabel = "DIR",
        description = "Directory of the database (default: ${DEFAULT-VALUE}).")
    private Path data = Path.of("braid-data");

    @Mixin private JobOptions jobs = new JobOptions();

    Path directory() {
      return jobs.directory(data);
    }
  }

  /**
   * Requires a path in a file system of the operating system: its files are locked, appended to and
   * renamed at once.
   */
  static final class OnDisk implements ITypeConverter<Path> {
    @Override
    public Path convert(String text) {
      if (text.matches("(?!file:)[A-Za-z][A-Za-z0-9+.-]+://.*")) {
        throw new TypeConversionException(
            "'"
                + text
                + "' cannot hold jobs: name a directory on a disk of this machine, or on one that"
                + " several machines mount. Files to load may be anywhere.");
      }
      return FilePlaces.path(text);
    }
  }
}
