package io.braid.cli;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Says what is wrong with what was typed in a line or two, and where to read on: a whole page of
 * help would push the reason out of sight. Only when a verb is missing it lists the verbs.
 */
final class WrongUsage implements IParameterExceptionHandler {
  @Override
  public int handleParseException(ParameterException wrong, String[] args) {
    CommandLine command = wrong.getCommandLine();
    PrintWriter err = command.getErr();
    err.println("braid: " + text(wrong));
    boolean suggested = UnmatchedArgumentException.printSuggestions(wrong, err);
    if (wrong instanceof UnmatchedArgumentException || command.getSubcommands().isEmpty()) {
      if (!suggested) {
        String name = command.getCommandSpec().qualifiedName();
        err.println("Try '" + name + " --help'.");
      }
    } else {
      command.usage(err, command.getColorScheme());
    }
    err.flush();
    return ExitCode.USAGE;
  }

  private static String text(ParameterException wrong) {
    String message = String.valueOf(wrong.getMessage());
    return message.endsWith(".") ? message : message + ".";
  }
}
