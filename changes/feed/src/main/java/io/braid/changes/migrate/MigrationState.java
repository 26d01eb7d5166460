package io.braid.changes.migrate;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.braid.changes.feed.Position;
import io.braid.core.runtime.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state of a migration, in a file of its directory.
 *
 * @param backup the position of the old system that its backup was made at
 * @param applied changes up to this position of the old system are in the table
 * @param feedFrom the position of the table's own feed from which on the old system is fed; empty
 *     before the migration is finished
 */
record MigrationState(
    @JsonProperty("table") String table,
    @JsonProperty("phase") Phase phase,
    @JsonProperty("backup") String backup,
    @JsonProperty("applied") String applied,
    @JsonProperty("changes") long changes,
    @JsonProperty("feedFrom") String feedFrom) {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final String FILE = "migration.json";

  /** The progress of the migration. */
  enum Phase {
    /** Changes are buffered, the backup is being loaded. */
    LOADING,
    /** The buffered changes and all new ones are applied. */
    DRAINING,
    /** Clients write to the table; the old system is fed. */
    FINISHED
  }

  static Optional<MigrationState> read(Path directory) throws IOException {
    Path file = directory.resolve(FILE);
    return Files.exists(file)
        ? Optional.of(JSON.readValue(file.toFile(), MigrationState.class))
        : Optional.empty();
  }

  void write(Path directory) throws IOException {
    DurableFiles.write(directory.resolve(FILE), JSON.writeValueAsBytes(this));
  }

  MigrationState in(Phase next) {
    return new MigrationState(table, next, backup, applied, changes, feedFrom);
  }

  MigrationState applied(Position position, long more) {
    return new MigrationState(table, phase, backup, position.toString(), changes + more, feedFrom);
  }

  MigrationState finished(@Nullable Position from) {
    return new MigrationState(
        table, Phase.FINISHED, backup, applied, changes, from == null ? "" : from.toString());
  }
}
