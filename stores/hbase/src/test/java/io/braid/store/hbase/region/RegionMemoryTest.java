package io.braid.store.hbase.region;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import org.junit.jupiter.api.Test;

class RegionMemoryTest {
  private static final Row ROW = Row.of(FakeRegion.TABLE, "r");
  private static final ColumnName INTENT = ColumnName.of(FakeRegion.SPARSE, "f:q");

  private final FakeRegion region = new FakeRegion();
  private final RegionMemory memory = region.open.memory();

  @Test
  void aFamilyWithTooManyCellsTakesNothingOfWhatRegionsShare() throws Exception {
    memory.writing(ROW, INTENT, 1);

    memory.learn();
    memory.writing(ROW, INTENT, 2);

    assertThat(region.shared.places()).hasValue(0);
    assertThat(memory.mayHave(ROW, FakeRegion.SPARSE)).isTrue();
  }

  @Test
  void aRegionThatCannotLearnTakesNothingOfWhatRegionsShare() {
    memory.writing(ROW, INTENT, 1);

    memory.forget();
    memory.writing(ROW, INTENT, 2);

    assertThat(region.shared.places()).hasValue(0);
    assertThat(memory.mayHave(ROW, FakeRegion.SPARSE)).isTrue();
  }
}
