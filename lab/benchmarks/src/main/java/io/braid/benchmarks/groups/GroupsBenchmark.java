package io.braid.benchmarks.groups;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Key groups on a database in a directory. */
@Command(
    name = "groups",
    mixinStandardHelpOptions = true,
    description = {
      "Creates, uses and deletes key groups, by both designs, beside the raw store writing the same:"
          + " figures 9 to 11 of the G-Store paper.",
      "The log of the groups is as durable as the writes of the raw store."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid bench groups --quick",
      "  braid bench groups --only operations --clients 20",
      "  braid bench groups --store hbase --quick"
    })
public final class GroupsBenchmark implements Callable<Integer> {
  @Mixin GroupsPlan plan = new GroupsPlan();

  @Option(
      names = "--store",
      paramLabel = "ENGINE",
      description = "rocksdb, or hbase: a cluster of its own (default: ${DEFAULT-VALUE}).")
  String store = "rocksdb";

  @Spec @Nullable CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    CommandSpec known = spec;
    if (!store.equals("rocksdb") && known != null) {
      throw new ParameterException(
          known.commandLine(),
          "There is no --store "
              + store
              + " here: write rocksdb, or './braid bench groups --store hbase'.");
    }
    GroupExperiments.run(plan, RocksBed::create);
    return 0;
  }
}
