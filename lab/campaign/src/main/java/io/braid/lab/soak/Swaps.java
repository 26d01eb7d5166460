package io.braid.lab.soak;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.DurableFiles;
import io.braid.core.runtime.Seams;
import io.braid.serving.build.BuildPlan;
import io.braid.serving.build.StoreBuilder;
import io.braid.serving.chunk.Search;
import io.braid.serving.fetch.Fetch;
import io.braid.serving.fetch.LocalSource;
import io.braid.serving.files.Throttle;
import io.braid.serving.node.Lease;
import io.braid.serving.node.NodeDirectory;
import io.braid.serving.node.ServedStore;
import io.braid.serving.node.StoreVersions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Versions of a served store that are built, fetched, swapped in and sometimes rolled back. The
 * holder of a lease sees the values of one version.
 */
final class Swaps implements Load {
  private static final String STORE = "soak";
  private static final int KEYS = 1_000;
  private static final int BACKUPS = 2;
  private static final int BACK_EVERY = 5;

  private final Seams seams;
  private final Path folder;
  private final NodeDirectory directory;
  private final ServedStore served;
  private long built;

  Swaps(Seams seams, Path folder) throws IOException {
    this.seams = seams;
    this.folder = folder;
    this.directory = NodeDirectory.own(folder.resolve("node"), seams);
    this.served = ServedStore.open(directory.store(STORE), Search.BINARY);
  }

  @Override
  public String name() {
    return "swaps";
  }

  @Override
  public void step() throws IOException {
    StoreVersions versions = served.versions();
    long number = versions.next();
    Path version = folder.resolve("version-" + number);
    try (StoreBuilder builder = new StoreBuilder(BuildPlan.of(STORE), version)) {
      for (int i = 0; i < KEYS; i++) {
        builder.add(Bytes.of("key" + i), Bytes.of(Long.toString(number)));
      }
      builder.finish();
    }
    new Fetch(
            seams,
            versions,
            new LocalSource(version.resolve("node-0")),
            number,
            new Throttle(seams, 0),
            2)
        .run();
    DurableFiles.deleteTree(version);
    try (Lease before = built == 0 ? null : served.lease()) {
      long old = served.version();
      served.prepare(number, false);
      served.swap(number, false);
      if (before != null) {
        seen(before, old);
      }
    }
    check(number);
    if (++built % BACK_EVERY == 0) {
      long back = served.rollBack(0);
      check(back);
    }
    served.retire(BACKUPS);
    versions.trash().empty(Long.MAX_VALUE, () -> false);
  }

  private void check(long number) {
    try (Lease lease = served.lease()) {
      seen(lease, number);
    }
  }

  private static void seen(Lease lease, long number) {
    for (int i = 0; i < KEYS; i += 37) {
      Optional<String> value = lease.get(Bytes.of("key" + i)).map(Bytes::toUtf8);
      WrongException.unless(
          value.equals(Optional.of(Long.toString(number))),
          "Version " + number + " of the store has " + value + " as key " + i + ".");
    }
  }

  @Override
  public void check() {
    if (built > 0) {
      check(served.version());
    }
  }

  @Override
  public void close() throws IOException {
    served.close();
    directory.close();
  }
}
