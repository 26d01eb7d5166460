package io.braid.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.ByteArrayProxy;
import org.lmdbjava.Dbi;
import org.lmdbjava.DbiFlags;
import org.lmdbjava.Env;
import org.lmdbjava.EnvFlags;
import org.lmdbjava.Txn;

/** LMDB with one read transaction for all reads, as its readers would keep it. */
final class LmdbPeer implements ServedPeer {
  private static final int BATCH = 10_000;

  private final Env<byte[]> env;
  private final Dbi<byte[]> table;
  private final Txn<byte[]> read;

  private LmdbPeer(Env<byte[]> env, Dbi<byte[]> table) {
    this.env = env;
    this.table = table;
    this.read = env.txnRead();
  }

  static LmdbPeer load(Path directory, long bytes, Tuples tuples) throws Exception {
    Env<byte[]> env =
        Env.create(ByteArrayProxy.PROXY_BA)
            .setMapSize(bytes * 4 + (64 << 20))
            .setMaxDbs(1)
            .open(Files.createDirectories(directory).toFile(), EnvFlags.MDB_NOSYNC);
    Dbi<byte[]> table = env.openDbi("bench", DbiFlags.MDB_CREATE);
    Loader loader = new Loader(env, table);
    tuples.forEach(loader::add);
    loader.end();
    return new LmdbPeer(env, table);
  }

  /** Puts in transactions of some size. */
  private static final class Loader {
    private final Env<byte[]> env;
    private final Dbi<byte[]> table;
    private Txn<byte[]> txn;
    private int pending;

    Loader(Env<byte[]> env, Dbi<byte[]> table) {
      this.env = env;
      this.table = table;
      this.txn = env.txnWrite();
    }

    void add(byte[] key, byte[] value) {
      table.put(txn, key, value);
      if (++pending == BATCH) {
        end();
        txn = env.txnWrite();
        pending = 0;
      }
    }

    void end() {
      txn.commit();
      txn.close();
    }
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    byte[] value = table.get(read, key);
    return value;
  }

  @Override
  public long indexBytes() {
    return 0;
  }

  @Override
  public void close() throws IOException {
    read.close();
    env.close();
  }
}
