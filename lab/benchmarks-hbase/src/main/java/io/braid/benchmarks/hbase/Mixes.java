package io.braid.benchmarks.hbase;

import io.braid.Braid;
import io.braid.benchmarks.OmidMixes;
import io.braid.benchmarks.OmidVariant;
import io.braid.benchmarks.Report;
import io.braid.benchmarks.Scratch;
import io.braid.core.data.Bytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumSet;
import org.apache.hadoop.hbase.TableName;

/**
 * The mixes of Omid's figures 4 to 7 over HBase: the four systems of the paper (section 5.1.1),
 * each in its own table with a region on each server. The transaction manager of each system, and
 * the oracle, are in this process, so that a begin needs no trip.
 */
final class Mixes {
  private static final int CELLS = 1 << 20;
  private static final long TURN_MILLIS = 200;

  private final BenchCluster cluster;
  private final RawHBase raw;
  private final Braid coordinator;
  private final OmidMixes mixes;

  Mixes(
      Report report,
      BenchCluster cluster,
      RawHBase raw,
      Braid coordinator,
      int rows,
      boolean quick) {
    this.cluster = cluster;
    this.raw = raw;
    this.coordinator = coordinator;
    this.mixes =
        new OmidMixes(
            report, rows, EnumSet.allOf(OmidVariant.Word.class), this::open, quick, TURN_MILLIS);
  }

  /**
   * @param background additional load on the managers, in transactions a second
   */
  void run(long background) throws Exception {
    mixes.run(false, background);
    mixes.run(true, background);
  }

  private OmidVariant open(OmidVariant.Word word, Scratch scratch) {
    String table = "mix-" + word;
    coordinator.dropTable(table);
    OmidVariant variant =
        OmidVariant.over(coordinator.store(), coordinator.oracle(), table, word, CELLS);
    coordinator.store().splitTablet(table, Bytes.ofInts(0x80));
    try {
      raw.spread(TableName.valueOf(cluster.space(), table));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return variant;
  }
}
