package io.braid.store.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.store.StoreException;
import io.braid.store.hbase.wire.TableMarks;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TablesTest {
  private final FakeHBase hbase = new FakeHBase(Duration.ofMinutes(1));

  @Test
  void anEpochIsNotedWithTheIdOfTheTable() {
    hbase.tables.get(FakeHBase.TABLE);
    hbase.raised = 5;

    hbase.tables.raiseEpoch(FakeHBase.TABLE, 5);

    assertThat(hbase.changes).containsExactly(new TableMarks("f", "first", 5, false));
  }

  @Test
  void aTableThatTookTheNameKeepsItsId() {
    hbase.tables.get(FakeHBase.TABLE);
    hbase.raised = 5;
    hbase.id = "second";

    assertThatThrownBy(() -> hbase.tables.raiseEpoch(FakeHBase.TABLE, 5))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("dropped and created again");
    assertThat(hbase.changes).isEmpty();
    assertThat(hbase.tables.get(FakeHBase.TABLE).marks().id()).isEqualTo("second");
  }
}
