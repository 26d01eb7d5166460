package io.braid.cli.stores;

import picocli.CommandLine.Command;

/** Served stores on this machine. */
@Command(
    name = "store",
    description = "Builds served stores, and swaps their versions in the directory of a node.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "VERB",
    subcommands = {
      StoreBuildCommand.class,
      StorePushCommand.class,
      StoreGetCommand.class,
      StoreCreateCommand.class,
      StorePutCommand.class,
      StoreImportCommand.class,
      StoreDropCommand.class,
      StoreVersionsCommand.class,
      StoreFetchCommand.class,
      StoreSwapCommand.class,
      StoreRollbackCommand.class,
      StorePinCommand.class,
      StoreQuotaCommand.class,
      StoreVerifyCommand.class
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid store build people --input people.csv --key id --out /tmp/people",
      "  braid store fetch people /tmp/people/node-0",
      "  braid store swap people",
      "  braid store get people 17 18",
      "  braid store versions people",
      "  braid store rollback people",
      "  braid store push people --from /tmp/people --to http://127.0.0.1:7811"
    })
public final class StoreCommand {}
