package io.braid.store.rocksdb.writes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.time.Timestamp;
import io.braid.store.rocksdb.Fixtures;
import io.braid.store.rocksdb.RocksStore;
import io.braid.store.rocksdb.concurrency.RowLocks;
import io.braid.store.rocksdb.concurrency.StoreClock;
import io.braid.store.rocksdb.engine.Engine;
import io.braid.store.rocksdb.engine.Health;
import io.braid.store.rocksdb.reads.CellReads;
import io.braid.store.rocksdb.reads.Counters;
import io.braid.store.rocksdb.reads.NewestCells;
import io.braid.store.rocksdb.reads.VersionBounds;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BatchWriterTest {
  private static final long T = 1000 * Timestamp.STEP;

  @TempDir Path directory;

  @Test
  void testsUseValuesThatAreLarge() {
    assertThat(Fixtures.LARGE).isEqualTo(BatchBytes.LARGE);
  }

  /** What fails is a counter that is not there: it stands for anything but RocksDB. */
  @Test
  @SuppressWarnings("NullAway")
  void whateverEndsAWriteNobodyWaitsForItsVersionForEver() {
    RocksStore.open(directory, Fixtures.SMALL).close();
    StoreClock clock = new StoreClock();
    Health health = new Health();
    clock.advance(T);
    try (Engine engine = Fixtures.engine(directory.resolve("rocksdb"))) {
      Counters counters = new Counters();
      BatchWriter writer =
          new BatchWriter(
              engine,
              new RowLocks(),
              clock,
              health,
              new NewestCells(Fixtures.SMALL.memoryBytes()),
              new VersionBounds(engine, true, Fixtures.SMALL.memoryBytes()),
              null);
      Batch batch = new Batch(new CellReads(engine, counters));
      long version = clock.next(T);
      batch.drew(version);
      batch.bytes().put(engine.catalog, engine.catalog.getID(), new byte[] {1}, Bytes.of("x"));

      Outcome<Object> outcome = writer.apply(batch, Durability.BUFFERED);
      assertThat(outcome).isInstanceOf(Outcome.Unknown.class);
      assertThat(String.valueOf(outcome)).contains("ended in the middle");

      assertThat(Objects.requireNonNull(health.refusal()).passing()).isFalse();
      clock.awaitSnapshot(T);
      assertThatThrownBy(() -> clock.awaitSnapshot(version + Timestamp.STEP))
          .isInstanceOf(TabletUnavailableException.class);
    }
  }
}
