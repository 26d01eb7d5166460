package io.braid.benchmarks.hbase;

import io.braid.benchmarks.groups.GroupExperiments;
import io.braid.benchmarks.groups.GroupsPlan;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code braid bench groups --store hbase}. */
@Command(
    name = "groups",
    mixinStandardHelpOptions = true,
    description = {
      "Creates, uses and deletes key groups on a real HBase, by both designs, beside raw HBase:"
          + " figures 9 to 11 of the G-Store paper.",
      "Starts a cluster of its own and removes it at the end, unless it is given one."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid bench groups --store hbase --quick",
      "  braid bench groups --store hbase --log folder --only operations",
      "  braid bench groups --store hbase --site /etc/hbase/conf/hbase-site.xml"
    })
final class HBaseGroupsBenchmark implements Callable<Integer> {
  /** The only store of this module. */
  enum Store {
    hbase
  }

  @Mixin GroupsPlan plan = new GroupsPlan();

  @Option(names = "--store", description = "${COMPLETION-CANDIDATES}.")
  Store store = Store.hbase;

  /** The place of the groups' logs. */
  enum Log {
    store,
    folder
  }

  @Option(
      names = "--log",
      description =
          "Where groups log: in the store, or in a folder of the file system that HBase keeps its"
              + " own log in (default: ${DEFAULT-VALUE}).")
  Log log = Log.store;

  @Mixin ClusterChoice choice = new ClusterChoice();

  @Override
  public Integer call() throws Exception {
    GroupExperiments.run(plan, each -> HBaseBed.create(each, choice, log));
    return 0;
  }
}
