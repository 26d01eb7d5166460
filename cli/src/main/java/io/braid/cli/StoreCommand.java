package io.braid.cli;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.SystemSeams;
import io.braid.serving.StoreNames;
import io.braid.serving.build.Manifest;
import io.braid.serving.chunk.Search;
import io.braid.serving.fetch.Fetch;
import io.braid.serving.fetch.LocalSource;
import io.braid.serving.fetch.Throttle;
import io.braid.serving.node.Lease;
import io.braid.serving.node.NodeDirectory;
import io.braid.serving.node.ServedStore;
import io.braid.serving.node.StoreVersions;
import io.braid.serving.node.VersionInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Served stores on this machine. */
@Command(
    name = "store",
    description = "Builds served stores, and swaps their versions in the directory of a node.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "VERB",
    subcommands = {StoreBuildCommand.class, StorePushCommand.class},
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid store build people --input people.csv --key id --out /tmp/people",
      "  braid store fetch people /tmp/people/node-0",
      "  braid store swap people",
      "  braid store get people 17 18",
      "  braid store versions people",
      "  braid store rollback people",
      "  braid store push people --from /tmp/people --to http://127.0.0.1:7801"
    })
final class StoreCommand {
  private static final long DELETE_RATE = 200L << 20;

  @Command(
      name = "get",
      description = "Prints the values of keys in the live version.",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = "  braid store get people 17 18 --node /var/lib/node")
  int get(
      @Parameters(paramLabel = "STORE") String store,
      @Parameters(paramLabel = "KEY", arity = "1..*") List<String> keys,
      @Mixin NodeOptions node,
      @Mixin OutputOptions output)
      throws IOException {
    int missing = 0;
    try (NodeDirectory directory = node.look();
        ServedStore served = ServedStore.open(directory.store(store), Search.BINARY);
        Lease lease = served.lease()) {
      for (String key : keys) {
        Optional<Bytes> value = lease.get(Bytes.of(key));
        if (value.isEmpty()) {
          missing++;
          output.err().println("braid: store " + store + " has no key '" + key + "'.");
        } else {
          Map<String, Object> object = new LinkedHashMap<>();
          object.put("key", key);
          object.put("value", value.get().toUtf8());
          object.put("version", lease.version());
          output.print(object, value.get().toUtf8());
        }
      }
    }
    return missing == 0 ? ExitCode.DONE : ExitCode.FAILED;
  }

  @Command(
      name = "versions",
      description = "Lists the versions of a store on the node.",
      mixinStandardHelpOptions = true)
  int versions(
      @Parameters(paramLabel = "STORE") String store,
      @Mixin NodeOptions node,
      @Mixin OutputOptions output)
      throws IOException {
    try (NodeDirectory directory = node.look()) {
      for (VersionInfo info : directory.store(store).versions()) {
        print(output, info);
      }
    }
    return ExitCode.DONE;
  }

  @Command(
      name = "fetch",
      description =
          "Copies a version into the directory of the node, with all checksums compared. It is not"
              + " live before it is swapped in.",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = "  braid store fetch people /tmp/people/node-0 --rate 50")
  int fetch(
      @Parameters(index = "0", paramLabel = "STORE") String store,
      @Parameters(index = "1", paramLabel = "FOLDER", description = "What was built for a node.")
          Path folder,
      @Option(
              names = "--number",
              paramLabel = "N",
              description = "Its version (default: the next).")
          @Nullable String version,
      @Option(names = "--rate", paramLabel = "MIB", description = "At most so many MiB a second.")
          long rate,
      @Mixin NodeOptions node,
      @Mixin OutputOptions output)
      throws IOException {
    try (NodeDirectory directory = node.own()) {
      StoreVersions versions = directory.store(store);
      long number = version == null ? versions.next() : StoreNames.version(version);
      SystemSeams seams = new SystemSeams();
      Fetch fetch =
          new Fetch(
              seams, versions, new LocalSource(folder), number, new Throttle(seams, rate << 20), 2);
      Manifest manifest = fetch.run();
      Map<String, Object> object = new LinkedHashMap<>();
      object.put("store", store);
      object.put("version", number);
      object.put("keys", manifest.keys());
      object.put("bytes", manifest.bytes());
      output.print(
          object,
          String.format(
              Locale.ROOT,
              "Fetched version %d of %s: %,d keys, %,d bytes. It is not live yet.",
              number,
              store,
              manifest.keys(),
              manifest.bytes()));
    }
    return ExitCode.DONE;
  }

  @Command(
      name = "swap",
      description =
          "Makes a version live, after all its checksums were compared; keeps some old ones for a"
              + " rollback.",
      mixinStandardHelpOptions = true)
  int swap(
      @Parameters(index = "0", paramLabel = "STORE") String store,
      @Parameters(
              index = "1",
              arity = "0..1",
              paramLabel = "N",
              description = "The version (default: the highest).")
          @Nullable String version,
      @Option(names = "--force", description = "Also when it has suspiciously few keys.")
          boolean force,
      @Option(
              names = "--backups",
              paramLabel = "N",
              defaultValue = "2",
              description = "Old versions to keep (default: ${DEFAULT-VALUE}).")
          int backups,
      @Mixin NodeOptions node,
      @Mixin OutputOptions output)
      throws IOException {
    try (NodeDirectory directory = node.own();
        ServedStore served = ServedStore.open(directory.store(store), Search.BINARY)) {
      StoreVersions versions = served.versions();
      long number = version == null ? versions.next() - 1 : StoreNames.version(version);
      served.prepare(number, force);
      long begun = System.nanoTime();
      served.swap(number, force);
      double millis = (System.nanoTime() - begun) / 1e6;
      served.retire(backups);
      versions.trash().empty(DELETE_RATE, () -> false);
      printLive(output, store, number, millis, "Swapped in");
    }
    return ExitCode.DONE;
  }

  @Command(
      name = "rollback",
      description = "Goes back to a version that was live before.",
      mixinStandardHelpOptions = true)
  int rollback(
      @Parameters(index = "0", paramLabel = "STORE") String store,
      @Parameters(
              index = "1",
              arity = "0..1",
              paramLabel = "N",
              description = "The version (default: the last one).")
          @Nullable String version,
      @Mixin NodeOptions node,
      @Mixin OutputOptions output)
      throws IOException {
    try (NodeDirectory directory = node.own();
        ServedStore served = ServedStore.open(directory.store(store), Search.BINARY)) {
      long begun = System.nanoTime();
      long number = served.rollBack(version == null ? 0 : StoreNames.version(version));
      double millis = (System.nanoTime() - begun) / 1e6;
      printLive(output, store, number, millis, "Rolled back to");
    }
    return ExitCode.DONE;
  }

  @Command(
      name = "pin",
      description = "Keeps a version from being deleted, or lets it go again.",
      mixinStandardHelpOptions = true)
  int pin(
      @Parameters(index = "0", paramLabel = "STORE") String store,
      @Parameters(index = "1", paramLabel = "N") String version,
      @Option(names = "--off", description = "Take the pin off.") boolean off,
      @Mixin NodeOptions node,
      @Mixin OutputOptions output)
      throws IOException {
    long number = StoreNames.version(version);
    try (NodeDirectory directory = node.own()) {
      directory.store(store).pin(number, !off);
      Map<String, Object> object = new LinkedHashMap<>();
      object.put("store", store);
      object.put("version", number);
      object.put("pinned", !off);
      output.print(
          object, "Version " + number + " of " + store + (off ? " has no pin." : " is pinned."));
    }
    return ExitCode.DONE;
  }

  @Command(
      name = "verify",
      description = "Reads a version through and compares all checksums (default: the live one).",
      mixinStandardHelpOptions = true)
  int verify(
      @Parameters(index = "0", paramLabel = "STORE") String store,
      @Parameters(index = "1", arity = "0..1", paramLabel = "N") @Nullable String version,
      @Mixin NodeOptions node,
      @Mixin OutputOptions output)
      throws IOException {
    try (NodeDirectory directory = node.look()) {
      StoreVersions versions = directory.store(store);
      long number = version == null ? versions.live() : StoreNames.version(version);
      if (number == 0) {
        output.err().println("braid: store " + store + " has no live version; name one.");
        return ExitCode.FAILED;
      }
      Manifest manifest = versions.verify(number);
      versions.verifyLookups(number);
      Map<String, Object> object = new LinkedHashMap<>();
      object.put("store", store);
      object.put("version", number);
      object.put("records", manifest.records());
      object.put("checksum", manifest.checksum());
      output.print(
          object,
          String.format(
              Locale.ROOT,
              "Version %d of %s is right: %,d tuples, all files and lookups.",
              number,
              store,
              manifest.records()));
    }
    return ExitCode.DONE;
  }

  private static void printLive(
      OutputOptions output, String store, long version, double millis, String what) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("store", store);
    object.put("live", version);
    object.put("millis", millis);
    output.print(
        object,
        String.format(
            Locale.ROOT, "%s version %d of %s in %.1f ms.", what, version, store, millis));
  }

  private static void print(OutputOptions output, VersionInfo info) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("version", info.version());
    object.put("state", info.state().name().toLowerCase(Locale.ROOT));
    object.put("pinned", info.pinned());
    Manifest manifest = info.manifest();
    if (manifest != null) {
      object.put("keys", manifest.keys());
      object.put("bytes", manifest.bytes());
      manifest.snapshot().ifPresent(at -> object.put("snapshot", at));
      object.put("checksum", manifest.checksum());
    } else {
      object.put("problem", info.problem());
    }
    output.print(
        object,
        String.format(
            Locale.ROOT,
            "%d  %s%s  %s",
            info.version(),
            info.state().name().toLowerCase(Locale.ROOT),
            info.pinned() ? ", pinned" : "",
            manifest == null
                ? info.problem()
                : String.format(
                    Locale.ROOT, "%,d keys  %,d bytes", manifest.keys(), manifest.bytes())));
  }
}
