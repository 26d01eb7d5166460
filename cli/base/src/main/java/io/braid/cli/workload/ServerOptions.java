package io.braid.cli.workload;

import io.braid.cli.command.DatabaseOptions;
import io.braid.cli.command.Program;
import io.braid.cli.command.UsageException;
import io.braid.cli.remote.OwnServer;
import io.braid.cli.remote.RemoteSessions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/** Whether clients of a workload come to a server over a network, and to which one. */
final class ServerOptions {
  /** The ways in. */
  enum Door {
    grpc,
    http
  }

  @Option(
      names = "--through",
      paramLabel = "DOOR",
      description =
          "Run the database in a server of its own and let clients come to it by "
              + "${COMPLETION-CANDIDATES}; --kill-every kills the server, and it starts again.")
  @Nullable Door through;

  @Option(
      names = "--server",
      paramLabel = "URL",
      description =
          "Let clients come to a server that runs: grpc://HOST:PORT or http://HOST:PORT. How it "
              + "commits is what it is configured for.")
  @Nullable String server;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "What says to that server who asks.")
  @Nullable Path tokenFile;

  boolean isGiven() {
    return server != null;
  }

  /** Refuses what does not go together, before anything is begun. */
  void check(ParseResult typed, WorkloadOptions options, DatabaseOptions database) {
    if (server != null && through != null) {
      throw new UsageException(
          "--server names a server that runs, --through starts one: give one of them.");
    }
    if (tokenFile != null && server == null) {
      throw new UsageException("--token-file is for --server.");
    }
    if (through != null && database.store != DatabaseOptions.Engine.rocksdb) {
      throw new UsageException("--through is for a database in RocksDB.");
    }
    if (server != null) {
      for (String option : List.of("--kill-every", "--tablets", "--data", "--store", "--config")) {
        if (typed.hasMatchedOption(option)) {
          throw new UsageException(option + " means nothing for a server that runs already.");
        }
      }
      if (!options.settings().isEmpty()) {
        throw new UsageException(
            "How a server that runs commits is what it is configured for; "
                + String.join(", ", options.settings().keySet())
                + " cannot be chosen here.");
      }
      given().close();
    }
  }

  /** The server that runs. */
  RemoteSessions given() {
    try {
      String token = tokenFile == null ? "" : Files.readString(tokenFile).strip();
      return RemoteSessions.of(Objects.requireNonNull(server), token);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw new UncheckedIOException("The file of the token cannot be read.", e);
    }
  }

  /** Starts a server over a database. */
  OwnServer start(Program program, DatabaseOptions database, WorkloadOptions options, Path log) {
    List<String> arguments = new ArrayList<>(List.of("--data", database.data.toString()));
    Path config = database.config;
    if (config != null) {
      arguments.addAll(List.of("--config", config.toString()));
    }
    options
        .settings()
        .forEach((key, value) -> arguments.addAll(List.of("--set", key + "=" + value)));
    return new OwnServer(program.watched(), arguments, log);
  }
}
