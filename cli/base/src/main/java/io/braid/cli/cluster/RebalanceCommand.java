package io.braid.cli.cluster;

import picocli.CommandLine.Command;

/** Moves partitions of a cluster that serves. */
@Command(
    name = "rebalance",
    description = {
      "Moves partitions between the nodes of a cluster while it serves: chunk files are copied, then"
          + " all nodes learn the new ring. Stores that are written move too.",
      "Meanwhile nothing is fetched, swapped or rolled back."
    },
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "VERB",
    subcommands = {
      RebalancePlanCommand.class,
      RebalanceRunCommand.class,
      RebalanceStatusCommand.class,
      RebalanceAbortCommand.class
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid rebalance plan --cluster http://one:7811 --add http://four:7811",
      "  braid rebalance run --cluster http://one:7811 --add http://four:7811",
      "  braid rebalance status --cluster http://one:7811",
      "  braid rebalance run --cluster http://one:7811 --remove 2",
      "  braid rebalance abort --cluster http://one:7811"
    })
public final class RebalanceCommand {}
