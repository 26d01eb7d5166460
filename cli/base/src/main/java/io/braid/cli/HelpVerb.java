package io.braid.cli;

import io.braid.cli.command.ExitCode;
import io.braid.cli.command.UsageException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The help of a verb, or of a verb of a verb. */
@Command(
    name = "help",
    description = "Shows the help of a verb, as --help after it does; without one, lists them all.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {"  braid help get", "  braid help job resume"})
final class HelpVerb implements Callable<Integer> {
  @Parameters(
      paramLabel = "VERB",
      arity = "0..*",
      description = "The verb, and which of its own verbs.")
  List<String> words = List.of();

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it
  CommandSpec spec;

  @Override
  public Integer call() {
    CommandLine of = spec.parent().commandLine();
    for (String word : words) {
      CommandLine next = of.getSubcommands().get(word);
      if (next == null) {
        String before = of.getCommandSpec().qualifiedName();
        throw new UsageException(
            "There is no verb '" + before + " " + word + "': '" + before + " --help' lists them.");
      }
      of = next;
    }
    of.usage(spec.commandLine().getOut(), of.getColorScheme());
    spec.commandLine().getOut().flush();
    return ExitCode.DONE;
  }
}
