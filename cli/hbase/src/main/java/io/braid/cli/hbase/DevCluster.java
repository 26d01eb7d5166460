package io.braid.cli.hbase;

import io.braid.cli.command.Verb;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A small HBase for development and tests. */
@Command(
    name = "dev-cluster",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "WHAT",
    description = {
      "Runs a small, real HBase on this machine: a ZooKeeper, a master and region servers, each in"
          + " a process of its own.",
      "For development and tests: its data lies in one directory on one machine. Verbs with"
          + " --store hbase and the same --data use it by themselves."
    },
    subcommands = {
      StartCommand.class,
      StopCommand.class,
      StatusCommand.class,
      KillCommand.class,
      PauseCommand.class,
      MoveCommand.class,
      SplitCommand.class,
      FaultsCommand.class
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid dev-cluster start --servers 2",
      "  braid demo --store hbase",
      "  braid dev-cluster kill rs1",
      "  braid dev-cluster faults --for 3min",
      "  braid dev-cluster stop"
    })
public final class DevCluster implements Verb, Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it
  private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Say what to do with the cluster.");
  }
}
