package io.braid.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.store.TableSchema;
import io.braid.core.store.TableSchema.FamilySchema;
import io.braid.core.store.TableSchema.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

class CellTextTest {
  @Test
  void cellsReadBackAsTheyWereWritten() {
    Bytes every = Bytes.EMPTY;
    for (int b = 0; b < 256; b++) {
      every = every.concat(Bytes.ofInts(b));
    }
    Cell cell = new Cell(new ColumnName("f", every), 7, every);

    String line = CellText.line(every, cell);

    assertThat(CellText.rowKey(line)).isEqualTo(every);
    assertThat(CellText.cell(line)).isEqualTo(cell);
  }

  @Test
  void linesArePutAndDumped() {
    try (MemoryStore store = new MemoryStore()) {
      store.ensureTable(
          new TableSchema(
              "t", List.of(new FamilySchema("f", Kind.DATA), new FamilySchema("g", Kind.DATA))));
      CellText.put(store, "t", "b f:x@1=one", "a g:y@2=two", "a f:x@3=three = 3", " f:@0=");

      assertThat(CellText.dump(store, "t"))
          .containsExactly(" f:@0=", "a f:x@3=three = 3", "a g:y@2=two", "b f:x@1=one");
    }
  }

  @Test
  void malformedLineIsRefused() {
    assertThatThrownBy(() -> CellText.cell("a f:x=1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("row family:qualifier@version=value");
  }
}
