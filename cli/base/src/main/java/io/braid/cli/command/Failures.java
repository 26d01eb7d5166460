package io.braid.cli.command;

import io.braid.batch.input.UnreadableInputException;
import io.braid.batch.mapping.UnwritableRowException;
import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.ListenException;
import io.braid.core.store.TableReplacedException;
import io.braid.core.store.UnknownTableException;
import io.braid.http.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.CharacterCodingException;
import java.nio.file.NoSuchFileException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
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
    int exit = codeOf(failure);
    if (isJson(command)) {
      err.println(json(wordOf(failure), text(failure)));
    } else {
      explain(failure, exit, command);
    }
    if (System.getenv("BRAID_DEBUG") != null) {
      failure.printStackTrace(err);
    }
    return exit;
  }

  private static void explain(Exception failure, int exit, CommandLine command) {
    PrintWriter err = command.getErr();
    err.println("braid: " + text(failure));
    if (failure instanceof UnknownTableException && !(failure instanceof TableReplacedException)) {
      err.println("'braid table list' shows tables and families, 'braid table create' makes them.");
    }
    if (failure instanceof ListenException) {
      err.println(ports(command.getCommandName()));
    }
    if (exit == ExitCode.USAGE) {
      err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
    }
    if (unexpected(failure) && System.getenv("BRAID_DEBUG") == null) {
      err.println("This looks like a defect. Set BRAID_DEBUG=1 to see where it comes from.");
    }
  }

  private static boolean isJson(CommandLine command) {
    ParseResult parsed = command.getParseResult();
    return parsed != null && parsed.hasMatchedOption("--json");
  }

  /** Returns a failure as one line of JSON, with the words that the server uses over HTTP. */
  public static String json(String word, String text) {
    return Json.object().put("error", word).put("message", text).toString();
  }

  /** Returns the code of a failed call to a node. A node that does not answer is unavailable. */
  public static ErrorCode codeOfNode(Exception failure) {
    if (failure instanceof BraidException known) {
      return known.code();
    }
    return failure instanceof IOException ? ErrorCode.UNAVAILABLE : ErrorCode.REFUSED;
  }

  private static String wordOf(Exception failure) {
    if (failure instanceof BraidException known) {
      return known.code().word();
    }
    if (unexpected(failure)) {
      return ErrorCode.DEFECT.word();
    }
    return codeOf(failure) == ExitCode.USAGE ? ErrorCode.BAD_REQUEST.word() : "failed";
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
        || failure instanceof CharacterCodingException
        || isMissingInput(failure)
        || isMissingInput(failure.getCause())
        || failure instanceof NoSuchFileException
        || failure instanceof IllegalArgumentException) {
      return ExitCode.USAGE;
    }
    if (failure instanceof BraidException known) {
      return codeOf(known.code());
    }
    return ExitCode.FAILED;
  }

  private static boolean isMissingInput(@Nullable Throwable failure) {
    return failure instanceof UnreadableInputException input && input.isMissing();
  }

  private static int codeOf(ErrorCode code) {
    return switch (code.remedy()) {
      case CHANGE_REQUEST -> ExitCode.USAGE;
      case TRY_LATER ->
          code == ErrorCode.NOTHING_LIVE || code == ErrorCode.FETCH_FAILED
              ? ExitCode.FAILED
              : ExitCode.UNAVAILABLE;
      case ASK_FOR_THE_OUTCOME -> ExitCode.UNKNOWN;
      default -> code == ErrorCode.WRITES_REFUSED ? ExitCode.UNAVAILABLE : ExitCode.FAILED;
    };
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
