package io.braid.benchmarks.groups;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.Setting;
import io.braid.benchmarks.RawRocks;
import io.braid.benchmarks.Scratch;
import io.braid.core.data.Bytes;
import io.braid.core.store.Durability;
import io.braid.core.store.StoreException;
import io.braid.groups.node.GroupNode;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.rocksdb.RocksDBException;

/** A database in a directory, its group nodes in the same process, and RocksDB itself. */
final class RocksBed implements GroupsBed {
  private static final long MEMORY = 256L << 20;

  private final Scratch scratch;
  private final RawRocks raw;
  private final Braid db;
  private final boolean synced;

  private RocksBed(Scratch scratch, RawRocks raw, Braid db, boolean synced) {
    this.scratch = scratch;
    this.raw = raw;
    this.db = db;
    this.synced = synced;
  }

  static RocksBed create(GroupsPlan plan) throws IOException, RocksDBException {
    Scratch scratch = Scratch.create();
    BraidConfig config =
        BraidConfig.defaults()
            .with(Setting.DURABILITY, plan.durability)
            .with(Setting.STORE_MEMORY, (MEMORY >> 20) + " MiB");
    Braid db = Braid.open(scratch.child("db"), config);
    for (int i = 0; i < plan.nodes(); i++) {
      plan.start(db.groupNodes(), "node-" + i);
    }
    return new RocksBed(
        scratch,
        RawRocks.plain(scratch.child("raw"), MEMORY),
        db,
        plan.durability() == Durability.SYNCED);
  }

  @Override
  public String name() {
    return "rocksdb";
  }

  @Override
  public Braid db() {
    return db;
  }

  @Override
  public List<GroupNode> nodes() {
    return db.groupNodes().all();
  }

  @Override
  public void writeRaw(List<Bytes> keys, Bytes value) {
    try {
      raw.write(keys.stream().map(Bytes::toArray).toList(), value.toArray(), synced);
    } catch (RocksDBException e) {
      throw new StoreException("RocksDB did not write.", e);
    }
  }

  @Override
  public OptionalLong calls() {
    return OptionalLong.empty();
  }

  @Override
  public Optional<Servers> servers() {
    return Optional.empty();
  }

  /** Does nothing: there is only one place. */
  @Override
  public void spread(String table) {}

  @Override
  public Goal goal() {
    return new Goal(100, 1.3);
  }

  @Override
  public void close() {
    db.close();
    raw.close();
    scratch.close();
  }
}
