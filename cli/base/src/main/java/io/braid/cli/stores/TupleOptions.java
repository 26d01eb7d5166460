package io.braid.cli.stores;

import io.braid.cli.command.DatabaseOptions;
import io.braid.cli.command.PlaceConverter;
import io.braid.cli.command.SnapshotOptions;
import io.braid.cli.command.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Where the tuples of a store come from: a table, or a file. */
final class TupleOptions {
  @Option(names = "--table", paramLabel = "TABLE", description = "Take them from this table.")
  @Nullable String table;

  @Option(
      names = "--columns",
      split = ",",
      paramLabel = "COLUMN",
      description =
          "FAMILY:QUALIFIER, of which one gives its bytes as the value, several an object.")
  List<String> columns = List.of();

  @Option(
      names = "--input",
      paramLabel = "FILE",
      converter = PlaceConverter.class,
      description =
          "Take them from this file: .csv with a first line of names, .jsonl, .avro or .parquet;"
              + " text also with .gz or .zst.")
  @Nullable Path input;

  @Option(
      names = "--key",
      paramLabel = "FIELD",
      description = "The field of the file that is the key (default: ${DEFAULT-VALUE}).")
  String key = "key";

  @Option(
      names = "--value",
      paramLabel = "FIELD",
      description = "The field that is the value (default: an object of all others).")
  @Nullable String value;

  @Mixin SnapshotOptions snapshot = new SnapshotOptions();
  @Mixin DatabaseOptions database = new DatabaseOptions();

  /** Refuses options that do not tell where the tuples are. */
  void check() {
    if ((table == null) == (input == null)) {
      throw new UsageException("Name what to take: either --table or --input.");
    }
  }

  TupleInput open() throws IOException {
    if (table != null) {
      return TableInput.open(database, snapshot, table, columns);
    }
    return RecordsInput.open(Objects.requireNonNull(input), key, value);
  }
}
