package io.braid.cli.shell;

import io.braid.Braid;
import io.braid.cli.command.DatabaseOptions;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.Terminal;
import io.braid.cli.command.UsageException;
import io.braid.cli.command.Verb;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A prompt, or a script of what could be typed there. */
@Command(
    name = "shell",
    description = {
      "A prompt for transactions, reads of the past and looks behind a row.",
      "With --command or --file, or when the input is a pipe, runs statements: the first that fails"
          + " ends it, and its exit code is that of the command. 'help' lists the statements."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid shell",
      "  braid shell --command 'explain accounts bob'",
      "  printf 'begin\\nset accounts bob balance:usd 7\\ncommit\\n' | braid shell"
    })
public final class ShellCommand implements Verb, Callable<Integer> {
  @Option(
      names = {"-c", "--command"},
      paramLabel = "STATEMENT",
      description = "Run this statement; may be given several times.")
  List<String> commands = List.of();

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description = "Run the statements of this file, one a line.")
  @Nullable Path file;

  @Mixin DatabaseOptions database = new DatabaseOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() throws IOException {
    if (file != null && !commands.isEmpty()) {
      throw new UsageException("Give --command or --file, but not both.");
    }
    try (BufferedReader lines = lines();
        Braid db = database.open()) {
      return lines == null ? new Prompt(db).run() : new Script(output).run(db, lines);
    }
  }

  /** The statements of a script; null: a person types them. */
  private @Nullable BufferedReader lines() throws IOException {
    if (!commands.isEmpty()) {
      return new BufferedReader(new StringReader(String.join("\n", commands)));
    }
    if (file != null) {
      if (!Files.isRegularFile(file)) {
        throw new UsageException("There is no file " + file + ".");
      }
      return Files.newBufferedReader(file);
    }
    return Terminal.console().isPresent()
        ? null
        // The decoder refuses what is no UTF-8; the reader's own would write other values.
        : new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8.newDecoder()));
  }
}
