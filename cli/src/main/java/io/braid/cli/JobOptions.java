package io.braid.cli;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where jobs are kept. */
final class JobOptions {
  @Option(
      names = "--jobs",
      paramLabel = "DIR",
      description = "Directory of the jobs (default: ${DEFAULT-VALUE}).")
  Path directory = Path.of("braid-jobs");
}
