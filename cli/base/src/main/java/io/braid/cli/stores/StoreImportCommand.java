package io.braid.cli.stores;

import io.braid.cli.cluster.ClusterOptions;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.Progress;
import io.braid.cli.command.UsageException;
import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.DurableFiles;
import io.braid.core.runtime.SystemSeams;
import io.braid.serving.StoreNames;
import io.braid.serving.build.Duplicates;
import io.braid.serving.build.SortedTuples;
import io.braid.serving.imports.StoreImport;
import io.braid.serving.net.HttpImportNode;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.ring.Topology;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Imports tuples into a read-write store. */
@Command(
    name = "import",
    description =
        "Brings tuples of a table or a file into all replicas of a read-write store, over what is"
            + " there; it takes no other writes meanwhile. Run it again under its id when it broke"
            + " off.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid store import carts --input carts.csv --key id --value items --id nightly-7 \\",
      "      --cluster http://127.0.0.1:7811",
      "  braid store import carts --table carts --columns cart:items --as-of monday \\",
      "      --cluster http://127.0.0.1:7811",
      "  braid store import carts --id nightly-7 --abort --cluster http://127.0.0.1:7811"
    })
final class StoreImportCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "STORE", description = "The store.")
  String store = "";

  @Option(
      names = "--id",
      paramLabel = "ID",
      description =
          "Names this import: going on with it, or giving it up, needs the id; one that has come to"
              + " its end changes nothing again (default: a new one).")
  @Nullable String id;

  @Option(
      names = "--duplicates",
      paramLabel = "WHAT",
      description = "When a key comes again: fail or last, which counts (default: fail).")
  Duplicates duplicates = Duplicates.FAIL;

  @Option(
      names = "--abort",
      description = "Give the import up: what it has brought stays, and the store takes writes.")
  boolean abort;

  @Option(
      names = "--without-silent",
      description =
          "With --abort: also when nodes do not answer, which go on refusing writes. End the import"
              + " first if it may be running.")
  boolean withoutSilent;

  @Mixin TupleOptions tuples = new TupleOptions();
  @Mixin ClusterOptions cluster = new ClusterOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() throws IOException {
    StoreNames.store(store);
    if (duplicates == Duplicates.REDUCE) {
      throw new UsageException("An import does not reduce: write --duplicates fail or last.");
    }
    if (abort && id == null) {
      throw new UsageException("Name the import to give up with --id.");
    }
    if (!abort) {
      tuples.check();
    }
    Topology topology = cluster.topology();
    StoreDefinition there = topology.store(store);
    if (there == null || !there.writable()) {
      return output.refused(
          ErrorCode.NO_SUCH_STORE, "the cluster has no read-write store '" + store + "'.");
    }
    String name = id == null ? UUID.randomUUID().toString() : id;
    try (Progress progress = new Progress(output.err())) {
      List<HttpImportNode> nodes = new ArrayList<>();
      for (Node node : topology.ring().nodes()) {
        nodes.add(new HttpImportNode(node, cluster.token()));
      }
      StoreImport work =
          new StoreImport(
              new SystemSeams(),
              nodes,
              topology,
              store,
              name,
              (step, done, total) -> progress.show(step, done, Math.max(done, total), ""));
      return abort ? giveUp(work, name) : run(work, name, progress);
    }
  }

  private int giveUp(StoreImport work, String name) {
    boolean given = work.abort(withoutSilent);
    output.print(
        Map.of("store", store, "id", name, "given_up", given),
        given
            ? "Gave import " + name + " up: " + store + " takes writes. What it has brought stays."
            : "Import " + name + " of " + store + " is not running; nothing was changed.");
    return ExitCode.DONE;
  }

  private int run(StoreImport work, String name, Progress progress) throws IOException {
    Path scratch = Files.createTempDirectory("braid-import");
    try (SortedTuples sorted = new SortedTuples(scratch, duplicates)) {
      read(sorted, progress);
      if (id == null) {
        output.err().println("braid: this is import " + name + ".");
      }
      long begun = System.nanoTime();
      StoreImport.ImportResult imported = work.run(sorted);
      print(imported, name, (System.nanoTime() - begun) / 1_000_000);
      return ExitCode.DONE;
    } finally {
      DurableFiles.deleteTree(scratch);
    }
  }

  private void read(SortedTuples sorted, Progress progress) throws IOException {
    long read = 0;
    try (TupleInput input = tuples.open()) {
      while (input.next()) {
        sorted.add(input.key(), input.value());
        if ((++read & 0xFFFF) == 0) {
          progress.show("tuples read", read, read, "");
        }
      }
    }
    sorted.finish();
  }

  private void print(StoreImport.ImportResult imported, String name, long millis) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("store", store);
    object.put("id", name);
    object.put("tuples", imported.tuples());
    object.put("before", imported.before());
    object.put("millis", millis);
    output.print(
        object,
        imported.before()
            ? "Import " + name + " of " + store + " had brought all its tuples before."
            : String.format(
                Locale.ROOT,
                "Imported %,d tuples into %s; it took no other writes for %.1f s at most.",
                imported.tuples(),
                store,
                millis / 1000.0));
  }
}
