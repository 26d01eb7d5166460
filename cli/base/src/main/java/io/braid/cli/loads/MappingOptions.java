package io.braid.cli.loads;

import io.braid.batch.mapping.Mapping;
import io.braid.cli.command.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How fields of records and columns of rows belong together. */
final class MappingOptions {
  @Option(
      names = "--mapping",
      paramLabel = "FILE",
      description =
          "Which fields make the key and which column each belongs to; see docs/batch.md.")
  @Nullable Path mapping;

  @Option(
      names = "--key",
      split = ",",
      paramLabel = "FIELD",
      description = "Without --mapping: the fields that make the key.")
  List<String> key = List.of();

  @Option(
      names = "--family",
      paramLabel = "FAMILY",
      description = "Without --mapping: the family that all other fields belong to, as text.")
  @Nullable String family;

  Mapping read() throws IOException {
    if (mapping != null) {
      if (!key.isEmpty() || family != null) {
        throw new UsageException("--mapping tells what --key and --family would: leave them out.");
      }
      return Mapping.read(mapping);
    }
    if (key.isEmpty() || family == null) {
      throw new UsageException("Name a --mapping, or --key and --family.");
    }
    return Mapping.ofFamily(key, family);
  }
}
