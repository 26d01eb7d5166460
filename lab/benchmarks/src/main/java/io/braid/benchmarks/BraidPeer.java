package io.braid.benchmarks;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.SystemSeams;
import io.braid.serving.build.BuildPlan;
import io.braid.serving.build.StoreBuilder;
import io.braid.serving.chunk.IndexKind;
import io.braid.serving.chunk.Search;
import io.braid.serving.fetch.Fetch;
import io.braid.serving.fetch.LocalSource;
import io.braid.serving.files.Throttle;
import io.braid.serving.node.Lease;
import io.braid.serving.node.NodeDirectory;
import io.braid.serving.node.ServedStore;
import io.braid.serving.node.StoreReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Braid's own store: built, fetched, swapped in and read by one thread, with all checks. */
final class BraidPeer implements ServedPeer {
  static final String STORE = "bench";

  private final NodeDirectory node;
  private final ServedStore store;
  private final StoreReader reader;

  private BraidPeer(NodeDirectory node, ServedStore store) {
    this.node = node;
    this.store = store;
    this.reader = store.reader();
  }

  static void build(Path directory, IndexKind kind, Tuples tuples) throws Exception {
    try (StoreBuilder builder = new StoreBuilder(BuildPlan.of(STORE).kind(kind), directory)) {
      tuples.forEach((key, value) -> builder.add(Bytes.wrap(key), Bytes.wrap(value)));
      builder.finish();
    }
  }

  /** Creates a node that fetches the build as several versions and makes the first version live. */
  static BraidPeer serve(Path built, Path directory, Search search, int versions)
      throws IOException {
    return serve(built, directory, search, versions, new Throttle(new SystemSeams(), 0));
  }

  /** The same, like a serving node: fetches and the reads of prepare share one throttle. */
  static BraidPeer serve(Path built, Path directory, Search search, int versions, Throttle throttle)
      throws IOException {
    NodeDirectory node = NodeDirectory.own(directory, new SystemSeams());
    ServedStore store = ServedStore.open(node.store(STORE), search, throttle);
    BraidPeer peer = new BraidPeer(node, store);
    for (int version = 1; version <= versions; version++) {
      peer.fetch(built, version, throttle);
      store.prepare(version, false);
    }
    store.swap(1, false);
    return peer;
  }

  /**
   * Creates a node whose versions are hard links to one build. The disk needs room for one only.
   */
  static BraidPeer serveLinks(Path built, Path directory, int versions) throws IOException {
    NodeDirectory node = NodeDirectory.own(directory, new SystemSeams());
    ServedStore store = ServedStore.open(node.store(STORE), Search.BINARY);
    Path folder = StoreBuilder.folder(built, 0);
    for (int version = 1; version <= versions; version++) {
      Path target = Files.createDirectories(store.versions().directory(version));
      try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
        for (Path file : files) {
          Files.createLink(target.resolve(file.getFileName()), file);
        }
      }
      store.prepare(version, false);
    }
    store.swap(1, false);
    return new BraidPeer(node, store);
  }

  /** Opens a node that already has a live version. */
  static BraidPeer open(Path directory, Search search) throws IOException {
    NodeDirectory node = NodeDirectory.own(directory, new SystemSeams());
    return new BraidPeer(node, ServedStore.open(node.store(STORE), search));
  }

  /** Fetches the build as another version. */
  void fetch(Path built, long version, Throttle throttle) throws IOException {
    LocalSource source = new LocalSource(StoreBuilder.folder(built, 0));
    new Fetch(new SystemSeams(), store.versions(), source, version, throttle, 1).run();
  }

  ServedStore store() {
    return store;
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    return reader.get(key);
  }

  /** Reads with a lease for this read alone. */
  byte @Nullable [] leased(byte[] key) {
    try (Lease lease = store.lease()) {
      return lease.copy(key, 0, key.length);
    }
  }

  /** Views the value in place, without a copy, and returns its length, or -1 if there is none. */
  int view(byte[] key) {
    ByteBuffer view = reader.view(key);
    return view == null ? -1 : view.remaining();
  }

  @Override
  public long indexBytes() {
    return store.manifest().orElseThrow().indexBytes();
  }

  @Override
  public void close() throws IOException {
    reader.close();
    store.close();
    node.close();
  }
}
