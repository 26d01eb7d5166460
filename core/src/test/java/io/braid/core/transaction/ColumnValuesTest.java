package io.braid.core.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ColumnValuesTest {
  private static ColumnName column(int i) {
    return ColumnName.of("f" + i / 3, "q" + i);
  }

  private static TreeMap<ColumnName, Bytes> model(int size) {
    TreeMap<ColumnName, Bytes> model = new TreeMap<>();
    for (int i = 0; i < size; i++) {
      model.put(column(i), Bytes.of("v" + i));
    }
    return model;
  }

  @Test
  void isTheMapThatItWasMadeOf() {
    for (int size = 0; size < 7; size++) {
      TreeMap<ColumnName, Bytes> model = model(size);
      ColumnValues values = ColumnValues.copyOf(model);
      assertThat(values).isEqualTo(model).hasSameHashCodeAs(model);
      assertThat(values.keySet()).containsExactlyElementsOf(model.keySet());
      for (int i = 0; i < 8; i++) {
        assertThat(values.get(column(i))).isEqualTo(model.get(column(i)));
        assertThat(values.headMap(column(i))).isEqualTo(model.headMap(column(i)));
        assertThat(values.tailMap(column(i))).isEqualTo(model.tailMap(column(i)));
        for (int j = i; j < 8; j++) {
          assertThat(values.subMap(column(i), column(j)))
              .isEqualTo(model.subMap(column(i), column(j)));
        }
      }
    }
  }

  @Test
  void partOfPartStaysWithin() {
    ColumnValues values = ColumnValues.copyOf(model(6));
    assertThat(values.headMap(column(4)).tailMap(column(2))).containsOnlyKeys(column(2), column(3));
    assertThat(values.headMap(column(4)).get(column(5))).isNull();
    assertThat(values.headMap(column(4)).lastKey()).isEqualTo(column(3));
  }

  @Test
  void cannotBeChanged() {
    ColumnValues values = ColumnValues.copyOf(model(2));
    assertThatThrownBy(() -> values.put(column(1), Bytes.EMPTY))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> ColumnValues.copyOf(model(0)).firstKey())
        .isInstanceOf(NoSuchElementException.class);
  }
}
