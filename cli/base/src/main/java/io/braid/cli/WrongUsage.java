package io.braid.cli;

import io.braid.cli.command.ExitCode;
import io.braid.cli.command.Failures;
import io.braid.core.failure.ErrorCode;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Says in a line or two what is wrong with the typed command, and where to read on. A whole page of
 * help would push the reason out of sight. Only when a verb is missing, the verbs are listed.
 */
final class WrongUsage implements IParameterExceptionHandler {
  @Override
  public int handleParseException(ParameterException wrong, String[] args) {
    CommandLine command = wrong.getCommandLine();
    PrintWriter err = command.getErr();
    if (List.of(args).contains("--json")) {
      err.println(Failures.json(ErrorCode.BAD_REQUEST.word(), text(wrong)));
      err.flush();
      return ExitCode.USAGE;
    }
    err.println("braid: " + text(wrong));
    if (!(wrong instanceof UnmatchedArgumentException) && needsVerb(command)) {
      command.usage(err, command.getColorScheme());
    } else if (!UnmatchedArgumentException.printSuggestions(wrong, err)) {
      err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
    }
    err.flush();
    return ExitCode.USAGE;
  }

  /** Whether the command does nothing by itself. */
  private static boolean needsVerb(CommandLine command) {
    Object does = command.getCommand();
    return !command.getSubcommands().isEmpty()
        && (does instanceof Main || !(does instanceof Callable));
  }

  private static String text(ParameterException wrong) {
    if (wrong instanceof UnmatchedArgumentException unmatched
        && needsVerb(wrong.getCommandLine())
        && !unmatched.isUnknownOption()) {
      return "There is no verb '" + unmatched.getUnmatched().get(0) + "'.";
    }
    String message = String.valueOf(wrong.getMessage());
    String words =
        message
            .replaceFirst(" is not an? (int|long)$", " is no whole number")
            .replaceFirst(" is not a (double|float)$", " is no number");
    return words.endsWith(".") ? words : words + ".";
  }
}
