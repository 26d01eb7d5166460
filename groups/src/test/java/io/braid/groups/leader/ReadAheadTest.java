package io.braid.groups.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How far members are read ahead. */
class ReadAheadTest {
  private static final ColumnName COLUMN = ColumnName.of("f", "q");
  private static final int SMALL = 30;

  private final ReadAhead.Sizes sizes = new ReadAhead.Sizes();
  private final MemberCache cache = new MemberCache();

  private static List<Row> rows(String table, int count) {
    return IntStream.range(0, count).mapToObj(i -> Row.of(table, "r" + i)).toList();
  }

  private ReadAhead of(List<Row> members, int most) {
    return new ReadAhead(new LinkedHashSet<>(members), most, sizes);
  }

  /** Reads a column of a row, and of the others that are read along, as a group does. */
  private List<Row> miss(ReadAhead ahead, Row row, ColumnName column, int bytes) {
    List<Row> rows = ahead.with(row, column, cache);
    Bytes value = Bytes.wrap(new byte[bytes], 0, bytes);
    rows.forEach(each -> cache.loaded(each, column, value));
    ahead.took(row.table(), column, Collections.nCopies(rows.size(), Optional.of(value)));
    return rows;
  }

  private void learn(int bytes) {
    learn(COLUMN, bytes);
  }

  private void learn(ColumnName column, int bytes) {
    Optional<Bytes> value = Optional.of(Bytes.wrap(new byte[bytes], 0, bytes));
    sizes.learn(new ReadAhead.Place("t", column), List.of(value));
  }

  @Test
  void aSmallGroupIsReadInOneTripOnceTheSizeOfValuesIsKnown() {
    learn(SMALL);
    List<Row> members = rows("t", 50);
    assertThat(miss(of(members, 1000), members.get(20), COLUMN, SMALL))
        .containsExactlyInAnyOrderElementsOf(members);
  }

  @Test
  void ofValuesOfUnknownSizeOneIsRead() {
    List<Row> members = rows("t", 50);
    assertThat(miss(of(members, 1000), members.get(0), COLUMN, SMALL)).hasSize(1);
    assertThat(miss(of(members, 1000), members.get(1), COLUMN, SMALL)).hasSize(49);
  }

  @Test
  void ofLargeValuesFewAreRead() {
    learn(3 << 20);
    List<Row> members = rows("t", 50);
    assertThat(of(members, 1000).with(members.get(7), COLUMN, cache))
        .containsExactly(members.get(7));
  }

  @Test
  void aHugeGroupIsReadInTripsThatGrowToTheLimit() {
    learn(SMALL);
    List<Row> members = rows("t", 5000);
    ReadAhead ahead = of(members, 1000);
    List<Integer> trips =
        IntStream.iterate(4999, i -> i - 1)
            .limit(5)
            .map(i -> miss(ahead, members.get(i), COLUMN, SMALL).size())
            .boxed()
            .toList();
    assertThat(trips).containsExactly(64, 256, 1000, 1000, 1000);
  }

  @Test
  void onlyRowsOfTheTableThatAreNotCachedAreReadAlong() {
    learn(SMALL);
    List<Row> members = new ArrayList<>(rows("t", 4));
    members.addAll(rows("other", 4));
    cache.loaded(members.get(1), COLUMN, null);
    assertThat(of(members, 1000).with(members.get(2), COLUMN, cache))
        .containsExactlyInAnyOrder(members.get(0), members.get(2), members.get(3));
  }

  @Test
  void aLimitOfOneReadsNoOthers() {
    learn(SMALL);
    List<Row> members = rows("t", 9);
    assertThat(of(members, 1).with(members.get(2), COLUMN, cache)).containsExactly(members.get(2));
  }

  @Test
  void aGroupThatReadsManyColumnsReadsNoMoreAhead() {
    List<Row> members = rows("t", 9);
    ReadAhead ahead = of(members, 1000);
    for (int i = 0; i < 16; i++) {
      ColumnName column = ColumnName.of("f", "q" + i);
      learn(column, SMALL);
      assertThat(miss(ahead, members.get(0), column, SMALL)).hasSize(9);
    }
    learn(ColumnName.of("f", "q16"), SMALL);
    assertThat(miss(ahead, members.get(0), ColumnName.of("f", "q16"), SMALL)).hasSize(1);
  }

  @Test
  void readingAheadEndsWhenTheCacheHasManyBytes() {
    int large = 400 << 10;
    learn(large);
    List<Row> members = rows("t", 1000);
    ReadAhead ahead = of(members, 1000);
    int read = 0;
    for (int i = 999; i > 900; i--) {
      read += miss(ahead, members.get(i), COLUMN, large).size() - 1;
    }
    assertThat((long) read * large).isBetween(12L << 20, 20L << 20);
  }
}
