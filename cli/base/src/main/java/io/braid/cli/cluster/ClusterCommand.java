package io.braid.cli.cluster;

import picocli.CommandLine.Command;

/** Clusters of serving nodes. */
@Command(
    name = "cluster",
    description = "Makes nodes that serve stores a cluster, and shows it.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "VERB",
    subcommands = {ClusterInitCommand.class, ClusterShowCommand.class, ClusterTellCommand.class},
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid cluster init --nodes http://127.0.0.1:7811,http://127.0.0.1:7813 --partitions 12",
      "  braid cluster show --cluster http://127.0.0.1:7811",
      "  braid cluster tell --cluster http://127.0.0.1:7811    # to nodes that were away"
    })
public final class ClusterCommand {}
