package io.braid.cli;

import io.braid.ConfigurationException;
import io.braid.batch.input.MissingInputException;
import io.braid.batch.mapping.UnwritableRowException;
import io.braid.core.runtime.ListenException;
import io.braid.core.store.StoreLockedException;
import io.braid.core.store.TableReplacedException;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.store.UnknownTableException;
import io.braid.core.time.TimestampUnavailableException;
import io.braid.core.transaction.BlockedByTransactionException;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.groups.GroupOutcomeUnknownException;
import io.braid.serving.client.StoreUnavailableException;
import io.braid.serving.imports.ImportFailedException;
import io.braid.serving.node.NodeLockedException;
import io.braid.serving.push.PushFailedException;
import io.braid.serving.rebalance.RebalanceFailedException;
import io.braid.serving.writable.PutOutcomeUnknownException;
import io.braid.serving.writable.imports.WritesRefusedException;
import java.io.PrintWriter;
import java.nio.charset.CharacterCodingException;
import java.nio.file.NoSuchFileException;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/** Turns failures into a line that says what to do, and an exit code. */
public final class Failures implements IExecutionExceptionHandler {
  /** Messages of operating systems about files, without the names of the files. */
  private static final Pattern DISK =
      Pattern.compile(
          "([a-zA-Z.]+Exception: )?(No space left on device|File too large|Disk quota exceeded"
              + "|Input/output error|Read-only file system)");

  @Override
  public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
    PrintWriter err = command.getErr();
    int code = codeOf(failure);
    err.println("braid: " + text(failure));
    if (failure instanceof UnknownTableException && !(failure instanceof TableReplacedException)) {
      err.println("'braid table list' shows tables and families, 'braid table create' makes them.");
    }
    if (failure instanceof ListenException) {
      err.println(ports(command.getCommandName()));
    }
    if (code == ExitCode.USAGE) {
      err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
    }
    if (System.getenv("BRAID_DEBUG") != null) {
      failure.printStackTrace(err);
    } else if (unexpected(failure)) {
      err.println("This looks like a defect. Set BRAID_DEBUG=1 to see where it comes from.");
    }
    return code;
  }

  private static String ports(String verb) {
    return switch (verb) {
      case "serve" -> "Ports are chosen with --http, --redis and --grpc; 0 takes any free one.";
      case "server" ->
          "Ports are chosen with --set server.listen=127.0.0.1:PORT (gRPC has the port after it)"
              + " and --set server.grpc=127.0.0.1:PORT; 0 takes any free one.";
      default -> "'braid " + verb + " --help' says by which option the port is chosen.";
    };
  }

  /** The exit code that tells of a failure. */
  public static int codeOf(Throwable failure) {
    if (failure instanceof UnwritableRowException) {
      return ExitCode.FAILED;
    }
    if (failure instanceof UsageException
        || failure instanceof ConfigurationException
        || failure instanceof CharacterCodingException
        || failure instanceof MissingInputException
        || failure.getCause() instanceof MissingInputException
        || failure instanceof NoSuchFileException
        || failure instanceof IllegalArgumentException) {
      return ExitCode.USAGE;
    }
    if (failure instanceof PushFailedException push && !push.unsettled().isEmpty()) {
      return ExitCode.UNKNOWN;
    }
    if (failure instanceof RebalanceFailedException moved && !moved.unsettled().isEmpty()) {
      return ExitCode.UNKNOWN;
    }
    if (failure instanceof ImportFailedException stopped && !stopped.unsettled().isEmpty()) {
      return ExitCode.UNKNOWN;
    }
    if (failure instanceof CommitOutcomeUnknownException
        || failure instanceof GroupOutcomeUnknownException
        || failure instanceof PutOutcomeUnknownException) {
      return ExitCode.UNKNOWN;
    }
    if (failure instanceof TabletUnavailableException
        || failure instanceof StoreLockedException
        || failure instanceof TimestampUnavailableException
        || failure instanceof NodeLockedException
        || failure instanceof StoreUnavailableException
        || failure instanceof WritesRefusedException
        || failure instanceof BlockedByTransactionException) {
      return ExitCode.UNAVAILABLE;
    }
    return ExitCode.FAILED;
  }

  private static boolean unexpected(Throwable failure) {
    return failure instanceof NullPointerException
        || failure instanceof IllegalStateException
        || failure instanceof IndexOutOfBoundsException
        || failure instanceof ClassCastException;
  }

  /** Describes in a line what went wrong and what to do. */
  public static String text(Throwable failure) {
    if (failure instanceof CharacterCodingException) {
      return "The input is not UTF-8. Convert it, for example with iconv.";
    }
    if (failure instanceof NoSuchFileException missing) {
      return "There is no file " + missing.getFile() + ".";
    }
    String message = failure.getMessage();
    if (message != null && DISK.matcher(message).matches()) {
      return "A file cannot be written: "
          + message.replaceFirst("^[a-zA-Z.]+Exception: ", "")
          + ". Make room or lift the limit, then do it again (a load: 'braid job resume').";
    }
    return message == null || message.isBlank() ? failure.getClass().getSimpleName() : message;
  }
}
