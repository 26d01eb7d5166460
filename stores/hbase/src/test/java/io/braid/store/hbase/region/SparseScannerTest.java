package io.braid.store.hbase.region;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.store.hbase.Fakes;
import io.braid.store.hbase.wire.HBaseNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.junit.jupiter.api.Test;

/** Over a scanner of ten rows, of which each that it passes is counted. */
class SparseScannerTest {
  private static final ColumnName INTENT = ColumnName.of(FakeRegion.SPARSE, "f:q");
  private static final byte[] FAMILY =
      FakeRegion.SPARSE.getBytes(java.nio.charset.StandardCharsets.UTF_8);

  private final RegionMemory memory =
      new RegionMemory(
          new FakeRegion().open.region(),
          1,
          new RegionMemory.SharedState(new RecentVersions(), new AtomicLong(), 100));
  private int position;
  private int passed;

  @Test
  void rowsOfWhichTheLastCellWasRemovedAreNotWalkedThrough() throws Exception {
    known();
    write(2);
    write(5);
    write(7);
    memory.removed(row(5), INTENT, 1);

    assertThat(scanned(new Scan().addFamily(FAMILY))).containsExactly("r2", "r7");
    assertThat(passed).isEqualTo(2);
  }

  @Test
  void nothingIsAskedWhereNothingCanBe() throws Exception {
    known();

    assertThat(scanned(new Scan().addFamily(FAMILY))).isEmpty();
    assertThat(passed).isZero();
  }

  @Test
  void aScanThatBeginsBehindARowDoesNotComeBackToIt() throws Exception {
    known();
    write(2);
    write(7);
    position = 3;
    Scan scan = new Scan().addFamily(FAMILY).withStartRow(HBaseNames.key(row(2).key()), false);

    assertThat(scanned(scan)).containsExactly("r7");
    assertThat(passed).isEqualTo(1);
  }

  @Test
  void whatIsNotKnownIsLookedThrough() throws Exception {
    known();
    write(2);
    memory.forget();

    assertThat(scanned(new Scan().addFamily(FAMILY))).hasSize(10);
  }

  @Test
  void aScanOfOtherFamiliesIsAsItWas() {
    RegionScanner inner = tenRows();

    assertThat(SparseScanner.of(new Scan().addFamily(new byte[] {'f'}), inner, memory))
        .isSameAs(inner);
    assertThat(SparseScanner.of(new Scan(), inner, memory)).isSameAs(inner);
    assertThat(SparseScanner.of(new Scan().addFamily(FAMILY).setReversed(true), inner, memory))
        .isSameAs(inner);
  }

  private void known() throws Exception {
    memory.learn();
  }

  private void write(int number) {
    memory.writing(row(number), INTENT, 1);
  }

  private static Row row(int number) {
    return Row.of(FakeRegion.TABLE, "r" + number);
  }

  private List<String> scanned(Scan scan) throws Exception {
    List<String> rows = new ArrayList<>();
    RegionScanner scanner = SparseScanner.of(scan, tenRows(), memory);
    List<Cell> cells = new ArrayList<>();
    for (boolean more = true; more; cells.clear()) {
      more = scanner.nextRaw(cells);
      cells.forEach(cell -> rows.add(key(cell).toUtf8()));
    }
    return rows;
  }

  private static Bytes key(Cell cell) {
    return HBaseNames.key(org.apache.hadoop.hbase.CellUtil.cloneRow(cell));
  }

  private RegionScanner tenRows() {
    return Fakes.of(
        RegionScanner.class,
        Map.of(
            "reseek",
            arguments -> {
              Bytes row = HBaseNames.key(((byte[]) arguments[0]).clone());
              while (position < 10 && row(position).key().compareTo(row) < 0) {
                position++;
              }
              return position < 10;
            },
            "nextRaw",
            arguments -> next(arguments[0])));
  }

  @SuppressWarnings("unchecked")
  private boolean next(Object result) {
    if (position == 10) {
      return false;
    }
    passed++;
    ((List<Cell>) result)
        .add(
            new KeyValue(
                HBaseNames.key(row(position).key()), FAMILY, new byte[] {'q'}, 1L, new byte[0]));
    position++;
    return position < 10;
  }
}
