package io.braid.cli;

import io.braid.cli.cluster.ClusterCommand;
import io.braid.cli.cluster.RebalanceCommand;
import io.braid.cli.cluster.ServeCommand;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.Failures;
import io.braid.cli.command.Program;
import io.braid.cli.command.UsageException;
import io.braid.cli.command.Verb;
import io.braid.cli.data.DeleteCommand;
import io.braid.cli.data.GetCommand;
import io.braid.cli.data.ScanCommand;
import io.braid.cli.data.SetCommand;
import io.braid.cli.data.TableCommand;
import io.braid.cli.data.TxnCommand;
import io.braid.cli.demo.DemoCommand;
import io.braid.cli.groups.GroupCommand;
import io.braid.cli.groups.GroupNodeCommand;
import io.braid.cli.indexes.IndexCommand;
import io.braid.cli.indexes.QueryCommand;
import io.braid.cli.loads.ChangesCommand;
import io.braid.cli.loads.ExportCommand;
import io.braid.cli.loads.JobCommand;
import io.braid.cli.loads.LoadCommand;
import io.braid.cli.loads.MigrateCommand;
import io.braid.cli.loads.ValidateCommand;
import io.braid.cli.maintenance.BackupCommand;
import io.braid.cli.maintenance.GcCommand;
import io.braid.cli.maintenance.OutcomeCommand;
import io.braid.cli.maintenance.PinCommand;
import io.braid.cli.maintenance.RawCommand;
import io.braid.cli.maintenance.RestoreCommand;
import io.braid.cli.observers.ObserversCommand;
import io.braid.cli.observers.WorkerCommand;
import io.braid.cli.server.ServerCommand;
import io.braid.cli.server.TokenCommand;
import io.braid.cli.server.TopCommand;
import io.braid.cli.stores.StoreCommand;
import io.braid.cli.workload.CheckCommand;
import io.braid.cli.workload.WorkloadCommand;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The {@code braid} command. */
@Command(
    name = "braid",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = "Transactions and incremental processing over a key-value store.",
    synopsisSubcommandLabel = "VERB",
    subcommands = {
      HelpVerb.class,
      DemoCommand.class,
      IndexCommand.class,
      QueryCommand.class,
      TableCommand.class,
      GetCommand.class,
      SetCommand.class,
      DeleteCommand.class,
      ScanCommand.class,
      LoadCommand.class,
      JobCommand.class,
      ExportCommand.class,
      ValidateCommand.class,
      ChangesCommand.class,
      MigrateCommand.class,
      PinCommand.class,
      ObserversCommand.class,
      GroupCommand.class,
      GroupNodeCommand.class,
      GcCommand.class,
      OutcomeCommand.class,
      StoreCommand.class,
      ServeCommand.class,
      ClusterCommand.class,
      RebalanceCommand.class,
      ServerCommand.class,
      TopCommand.class,
      TokenCommand.class,
      TxnCommand.class,
      WorkerCommand.class,
      WorkloadCommand.class,
      CheckCommand.class,
      RawCommand.class,
      BackupCommand.class,
      RestoreCommand.class,
      AutoComplete.GenerateCompletion.class
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:refused or failed",
      "2:wrong usage or configuration",
      "3:the outcome is unknown",
      "4:unavailable, try again later",
      "5:the process cannot go on: start it again"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid table create accounts balance",
      "  braid set accounts bob balance:usd 10",
      "  braid get accounts bob",
      "  source <(braid generate-completion)",
      "",
      "On HBase: every verb that opens a database takes --store hbase; see also",
      "'braid dev-cluster --help', 'braid tm --help'."
    })
public final class Main implements Callable<Integer>, Program {
  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it
  private CommandSpec spec;

  public static void main(String[] args) {
    NotedOutput out = Typed.writeUtf8();
    CommandLine braid = commandLine();
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    braid.setOut(new PrintWriter(System.out, true, StandardCharsets.UTF_8)).setErr(err);
    try {
      Typed.requireRead(args, Typed.ofWords());
    } catch (UsageException e) {
      err.println("braid: " + e.getMessage());
      System.exit(ExitCode.USAGE);
    }
    int code = braid.execute(args);
    braid.getOut().flush();
    System.exit(whole(out, err) ? code : Math.max(code, ExitCode.FAILED));
  }

  /** Whether all results could be written. */
  private static boolean whole(NotedOutput out, PrintWriter err) {
    out.failure()
        .ifPresent(
            why ->
                err.println(
                    "braid: Standard output cannot be written: "
                        + why
                        + ". What was printed is not whole."));
    return out.failure().isEmpty();
  }

  /** The command with all its verbs, ready to execute. */
  public static CommandLine commandLine() {
    CommandLine braid = new CommandLine(new Main());
    ServiceLoader.load(Verb.class).forEach(braid::addSubcommand);
    braid.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, new VerbList());
    braid.getHelpSectionMap().remove(UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING);
    HelpLayout.of(braid);
    return braid
        .setCaseInsensitiveEnumValuesAllowed(true)
        // A key that begins with '@' is a key, whatever files are there.
        .setExpandAtFiles(false)
        .registerConverter(Path.class, Main::path)
        .setParameterExceptionHandler(new WrongUsage())
        .setExecutionExceptionHandler(new Failures());
  }

  private static Path path(String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new TypeConversionException("'" + text + "' is no name of a file: " + e.getReason());
    }
  }

  @Override
  public Integer call() {
    throw new ParameterException(spec.commandLine(), "A verb is missing.");
  }

  @Override
  public Class<?> main() {
    return Main.class;
  }

  @Override
  public Class<?> watched() {
    return WatchedServer.class;
  }
}
