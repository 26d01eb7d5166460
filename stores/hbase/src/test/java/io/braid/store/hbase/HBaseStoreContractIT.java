package io.braid.store.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import io.braid.core.store.CellStore;
import io.braid.core.store.ForwardingStore;
import io.braid.core.time.Timestamp;
import io.braid.store.hbase.wire.HBaseNames;
import io.braid.testkit.contract.CellStoreContract;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The laws of the interface, on a real HBase. */
class HBaseStoreContractIT extends CellStoreContract {
  private static final AtomicInteger NAMED = new AtomicInteger();
  private static final int CUTS = 4;

  private final HBaseOptions options =
      HBaseOptions.DEFAULT.withNamespace("contract" + NAMED.incrementAndGet());
  private final Set<Bytes> cut = new HashSet<>();

  @Override
  protected CellStore open() {
    CellStore store = HBaseStore.connect(LocalCluster.configuration(), options);
    return new ForwardingStore(store) {
      /** Regions are warm from the second timestamp on that comes after their opening. */
      @Override
      public void advanceClock(long timestamp) {
        super.advanceClock(timestamp);
        super.advanceClock(timestamp);
      }

      @Override
      public void splitTablet(String table, Bytes key) {
        if (mayCut(key)) {
          super.splitTablet(table, key);
        }
      }
    };
  }

  private synchronized boolean mayCut(Bytes key) {
    if (!cut.contains(key) && cut.size() < CUTS && !key.isEmpty()) {
      cut.add(key);
    }
    return key.isEmpty() || cut.contains(key);
  }

  @Override
  public int cuts() {
    return CUTS;
  }

  /** A raise of the watermark alone takes four seconds. */
  @Override
  public int times(int usual) {
    return Math.max(1, usual / 3);
  }

  @Override
  public long highestVersion() {
    return HBaseNames.MAX_VERSION;
  }

  @Override
  protected CellStore reopen(CellStore store) {
    store.close();
    return open();
  }

  @Override
  public boolean reachesAcrossTablets() {
    return false;
  }

  /** The clocks are the servers': a client that comes anew finds them as they are. */
  @Test
  @Override
  public void reopenedStoreDrawsOnlyAboveAFreshTimestamp() {
    store().advanceClock(T);
    long before = draw(A, 0);

    reopen();

    assertThat(draw(A, 0)).isGreaterThan(before).isLessThan(T + Timestamp.STEP);
  }
}
