package io.braid.omid.manager;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The conflict map against a map that never forgets. */
class ConflictMapTest {

  /** Fault 5: eviction and collisions cause aborts only, never a missed conflict. */
  @Test
  void nothingAboveTheLowWatermarkIsForgotten() {
    Random random = new Random(5);
    for (int cells : new int[] {1, 8, 64, 256}) {
      ConflictMap map = new ConflictMap(cells, 100);
      Map<Long, Long> all = new HashMap<>();
      for (long commit = 101; commit < 3000; commit++) {
        long cell = cell(random.nextInt(cells * 3 + 30));
        map.put(cell, commit);
        all.put(cell, commit);
        for (Map.Entry<Long, Long> each : all.entrySet()) {
          assertThat(
                  map.newest(each.getKey()) == each.getValue()
                      || each.getValue() <= map.lowWatermark())
              .as("cell %s of %s at %s", each.getKey(), cells, each.getValue())
              .isTrue();
        }
      }
      assertThat(map.lowWatermark()).isGreaterThan(100);
    }
  }

  @Test
  void whatFitsIsKept() {
    ConflictMap map = new ConflictMap(8, 0);
    for (long i = 1; i <= 8; i++) {
      map.put(cell(i), i);
    }
    assertThat(map.lowWatermark()).isZero();
    map.put(cell(9), 9);
    assertThat(map.lowWatermark()).isEqualTo(1);
    assertThat(map.newest(cell(1))).isZero();
    assertThat(map.newest(cell(9))).isEqualTo(9);
  }

  @Test
  void aCommitThatComesLateDoesNotHideANewerOne() {
    ConflictMap map = new ConflictMap(8, 0);
    map.put(7, 20);
    map.put(7, 10);
    assertThat(map.newest(7)).isEqualTo(20);
  }

  @Test
  void theCellWithHashZeroIsACellLikeOthers() {
    ConflictMap map = new ConflictMap(8, 0);
    assertThat(map.newest(0)).isZero();
    map.put(0, 3);
    assertThat(map.newest(0)).isEqualTo(3);
  }

  @Test
  void hashesOfNeighbouringCellsDiffer() {
    Set<Long> hashes = new HashSet<>();
    int count = 0;
    for (int row = 0; row < 300; row++) {
      for (int column = 0; column < 300; column++) {
        Row where = Row.of("t", Bytes.ofLong(row));
        hashes.add(CellHash.cell(where, ColumnName.of("f", "q" + column)));
        count++;
      }
    }
    assertThat(hashes).hasSize(count);
    Row ab = Row.of("t", "ab");
    Row a = Row.of("t", "a");
    assertThat(CellHash.cell(ab, ColumnName.of("c", "d")))
        .isNotEqualTo(CellHash.cell(a, ColumnName.of("bc", "d")));
  }

  private static long cell(long number) {
    return CellHash.cell(Row.of("t", Bytes.ofLong(number)), ColumnName.of("f", "q"));
  }
}
