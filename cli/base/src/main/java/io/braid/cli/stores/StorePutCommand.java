package io.braid.cli.stores;

import io.braid.cli.cluster.ClusterOptions;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.UsageException;
import io.braid.core.data.Bytes;
import io.braid.core.runtime.SystemSeams;
import io.braid.serving.net.HttpReplicas;
import io.braid.serving.ring.Topology;
import io.braid.serving.writable.VectorClock;
import io.braid.serving.writable.VersionedValue;
import io.braid.serving.writable.WritableStore;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes a key of a read-write store. */
@Command(
    name = "put",
    description = "Writes a key of a read-write store, or deletes it; routed by this client.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid store put carts bob '3 pears' --cluster http://127.0.0.1:7811",
      "  braid store put carts bob '4 pears' --clock 0:1 --cluster http://127.0.0.1:7811",
      "  braid store put carts bob --delete --cluster http://127.0.0.1:7811"
    })
final class StorePutCommand implements Callable<Integer> {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  @Parameters(index = "0", paramLabel = "STORE", description = "The store.")
  String store = "";

  @Parameters(index = "1", paramLabel = "KEY", description = "The key, as text.")
  String key = "";

  @Parameters(
      index = "2",
      arity = "0..1",
      paramLabel = "VALUE",
      description = "The new value; none with --delete.")
  @Nullable String value;

  @Option(names = "--delete", description = "Delete the key.")
  boolean delete;

  @Option(
      names = "--clock",
      paramLabel = "CLOCK",
      description = "Only if there was no write since this clock (default: over anything).")
  @Nullable String clock;

  @Mixin ClusterOptions cluster = new ClusterOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() throws IOException {
    String written = value;
    if ((written == null) != delete) {
      throw new UsageException("Write a value, or --delete.");
    }
    Optional<Bytes> next = Optional.ofNullable(written).map(Bytes::of);
    AtomicReference<Topology> topology = new AtomicReference<>(cluster.topology());
    WritableStore routed =
        new WritableStore(
            new SystemSeams(),
            new HttpReplicas(TIMEOUT, cluster.token()),
            topology::get,
            version -> topology.set(cluster.topology()),
            store,
            0);
    VersionedValue now =
        clock == null
            ? routed.write(Bytes.of(key), next)
            : routed.put(Bytes.of(key), VectorClock.parse(clock), next);
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("key", key);
    object.put("clock", now.clock().toString());
    output.print(object, "Written, with clock " + now.clock() + ".");
    return ExitCode.DONE;
  }
}
