package io.braid.benchmarks;

import java.nio.file.Files;
import java.nio.file.Path;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.type.ByteArrayDataType;
import org.jspecify.annotations.Nullable;

/** H2's MVStore, a copy-on-write tree: loaded, written, everything in its cache. */
final class MvStorePeer implements ServedPeer {
  private static final int CACHE_MB = 64;

  private final MVStore store;
  private final MVMap<byte[], byte[]> map;

  private MvStorePeer(MVStore store, MVMap<byte[], byte[]> map) {
    this.store = store;
    this.map = map;
  }

  static MvStorePeer load(Path directory, long bytes, Tuples tuples) throws Exception {
    MVStore store =
        new MVStore.Builder()
            .fileName(Files.createDirectories(directory).resolve("served.mv").toString())
            .cacheSize(CACHE_MB + (int) (bytes * 4 >> 20))
            .open();
    MVMap<byte[], byte[]> map =
        store.openMap(
            "bench",
            new MVMap.Builder<byte[], byte[]>()
                .keyType(ByteArrayDataType.INSTANCE)
                .valueType(ByteArrayDataType.INSTANCE));
    tuples.forEach(map::put);
    store.commit();
    store.sync();
    return new MvStorePeer(store, map);
  }

  /** Returns the cached value itself, without a copy. */
  @Override
  public byte @Nullable [] get(byte[] key) {
    byte[] value = map.get(key);
    return value;
  }

  @Override
  public long indexBytes() {
    return 0;
  }

  @Override
  public void close() {
    store.closeImmediately();
  }
}
