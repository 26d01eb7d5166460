package io.braid.cli.stores;

import io.braid.cli.cluster.ClusterOptions;
import io.braid.cli.command.Amount;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.Progress;
import io.braid.gateway.node.NamedClass;
import io.braid.serving.build.BuildPlan;
import io.braid.serving.build.Duplicates;
import io.braid.serving.build.Manifest;
import io.braid.serving.build.Patch;
import io.braid.serving.build.StoreBuilder;
import io.braid.serving.build.TupleMapper;
import io.braid.serving.chunk.Compression;
import io.braid.serving.chunk.IndexKind;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.Routing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Builds a version of a served store. */
@Command(
    name = "build",
    description =
        "Builds a version of a served store from a table at one snapshot, or from a file: a folder"
            + " for each node.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid store build balances --table accounts --columns balance:usd --out /tmp/balances",
      "  braid store build people --input people.csv --key id --out /tmp/people",
      "  braid store build people --input people.jsonl --key id --value name --duplicates last \\",
      "      --nodes 3 --partitions 12 --replicas 2 --out /tmp/people",
      "  braid store build people --input people.parquet --key id --out /tmp/people",
      "  braid store build words --input people.csv --key id --mapper my-mapper.jar \\",
      "      --duplicates reduce --out /tmp/words",
      "  braid store build people --input new.csv --key id --compression zstd \\",
      "      --out /tmp/new --patch /tmp/people"
    })
final class StoreBuildCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "STORE", description = "The store's name.")
  String store = "";

  @Option(
      names = "--out",
      required = true,
      paramLabel = "DIR",
      description = "Where the folders go; a directory that is empty or not there.")
  Path out = Path.of("");

  @Option(
      names = "--mapper",
      paramLabel = "JAR|CLASS",
      description =
          "Makes the key and the value of each tuple: a class that implements"
              + " io.braid.serving.build.TupleMapper, or a jar that lists one.")
  @Nullable String mapper;

  @Option(
      names = "--index",
      paramLabel = "KIND",
      description =
          "buckets, the paper's sorted, or blocks, which packs tuples together and takes longer to"
              + " read (default: ${DEFAULT-VALUE}).")
  String index = "buckets";

  @Option(
      names = "--duplicates",
      paramLabel = "WHAT",
      description =
          "When a key comes again: fail, last (it counts) or reduce (all values, each on a line)"
              + " (default: fail).")
  Duplicates duplicates = Duplicates.FAIL;

  @Option(names = "--nodes", paramLabel = "N", description = "Nodes (default: ${DEFAULT-VALUE}).")
  int nodes = 1;

  @Option(
      names = "--partitions",
      paramLabel = "N",
      description = "Partitions of the ring (default: as many as nodes).")
  int partitions;

  @Option(
      names = "--replicas",
      paramLabel = "N",
      description = "Nodes that hold each tuple (default: ${DEFAULT-VALUE}).")
  int replicas = 1;

  @Option(
      names = "--zone-replicas",
      split = ",",
      paramLabel = "ZONE=N",
      description = "Nodes of each zone that hold each tuple, instead of --replicas.")
  Map<Integer, Integer> zoneReplicas = Map.of();

  @Option(
      names = "--cluster",
      paramLabel = "NODE",
      description = "Build for the ring of this node's cluster, instead of --nodes, --partitions.")
  @Nullable String cluster;

  @Option(
      names = "--chunks",
      paramLabel = "N",
      description = "Chunks of each partition (default: as many as the tuples need).")
  int chunks;

  @Option(
      names = "--min-keys",
      paramLabel = "N",
      description = "Fail when there are fewer keys (default: ${DEFAULT-VALUE}).")
  long minimumKeys = 1;

  @Option(
      names = "--schema",
      paramLabel = "N",
      description = "A number for the form of the values (default: ${DEFAULT-VALUE}).")
  int schema;

  @Option(
      names = "--compression",
      paramLabel = "HOW",
      description =
          "Of each value, or with --index blocks of each block: none, zstd or lz4 (default:"
              + " ${DEFAULT-VALUE}).")
  String compression = "none";

  @Option(
      names = "--patch",
      paramLabel = "DIR",
      description =
          "What was built before, by the same ring: deltas to it are written too, so that nodes"
              + " that have that version fetch only what changed.")
  @Nullable Path patch;

  @Mixin TupleOptions source = new TupleOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() throws IOException {
    source.check();
    long begun = System.nanoTime();
    // Before anything is opened: the class may be missing.
    TupleMapper made = mapper == null ? null : NamedClass.make(TupleMapper.class, mapper);
    try (Progress progress = new Progress(output.err());
        TupleInput tuples = made == null ? source.open() : new MappedInput(source.open(), made);
        StoreBuilder builder = new StoreBuilder(plan(tuples), out)) {
      long read = 0;
      while (tuples.next()) {
        builder.add(tuples.key(), tuples.value());
        if ((++read & 0xFFFF) == 0) {
          progress.show("tuples read", read, read, "");
        }
      }
      long total = read;
      StoreBuilder.BuildResult built =
          builder.finish(keys -> progress.show("keys written", keys, total, ""));
      patch(built);
      print(built, read, (System.nanoTime() - begun) / 1_000_000);
      return ExitCode.DONE;
    }
  }

  private void patch(StoreBuilder.BuildResult built) throws IOException {
    if (patch == null) {
      return;
    }
    for (int node : built.manifests().keySet()) {
      Path base = StoreBuilder.folder(patch, node);
      if (Files.isDirectory(base)) {
        Patch made = Patch.make(base, StoreBuilder.folder(out, node));
        if (made.deltas().isEmpty()) {
          output.nothing("no file is so like that in " + base + " that differences would be less.");
          continue;
        }
        output
            .err()
            .printf(
                Locale.ROOT,
                "braid: a node %d that has what is in %s fetches %,d bytes of differences"
                    + " instead of %,d bytes of data.%n",
                node,
                base,
                made.bytes(),
                made.insteadOf());
      } else {
        output.err().println("braid: there is no " + base + ": node " + node + " gets no patch.");
      }
    }
  }

  private BuildPlan plan(TupleInput tuples) {
    Ring ring = ring();
    BuildPlan plan =
        BuildPlan.of(store)
            .kind(IndexKind.named(index))
            .routing(routing(ring))
            .chunks(chunks)
            .duplicates(duplicates)
            .minimumKeys(minimumKeys)
            .schema(schema)
            .compression(Compression.named(compression));
    return tuples.snapshot().isPresent() ? plan.snapshot(tuples.snapshot().getAsLong()) : plan;
  }

  private Ring ring() {
    if (cluster == null) {
      return Ring.even(nodes, partitions == 0 ? nodes : partitions);
    }
    ClusterOptions options = new ClusterOptions();
    options.cluster = List.of(cluster);
    return options.topology().ring();
  }

  private Routing routing(Ring ring) {
    return zoneReplicas.isEmpty()
        ? Routing.consistent(ring, replicas)
        : Routing.zoned(ring, zoneReplicas);
  }

  private void print(StoreBuilder.BuildResult built, long read, long millis) {
    long bytes = built.manifests().values().stream().mapToLong(Manifest::bytes).sum();
    long index = built.manifests().values().stream().mapToLong(Manifest::indexBytes).sum();
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("store", store);
    object.put("tuples", read);
    object.put("keys", built.keys());
    object.put("bytes", bytes);
    object.put("indexBytes", index);
    object.put("nodes", built.manifests().size());
    object.put("millis", millis);
    object.put("out", out.toString());
    output.print(
        object,
        String.format(
            Locale.ROOT,
            "Built %s: %s for %s, %,d bytes (index %,d), in %.1f s, in %s.",
            store,
            Amount.of(built.keys(), "key"),
            Amount.of(built.manifests().size(), "node"),
            bytes,
            index,
            millis / 1000.0,
            out));
  }
}
