package io.braid.store.rocksdb.tables;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import io.braid.core.store.TableSchema;
import io.braid.core.store.TableSchema.FamilySchema;
import io.braid.core.store.TableSchema.Kind;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class TableRecordTest {
  /** The examples of docs/formats/rocksdb.md: what is on disk stays readable. */
  @Test
  void formatStaysAsItIs() {
    TableRecord record =
        new TableRecord(
            3,
            new TableSchema(
                "t",
                List.of(
                    new FamilySchema("f", Kind.DATA), new FamilySchema("~intent", Kind.SPARSE))),
            200,
            300,
            TabletMap.whole().split(Bytes.of("m")));
    String schema = "03" + "0174" + "02" + "016644" + "077e696e74656e7453";
    String tablets = "ac02" + "04" + "02" + "0002" + "016d03";
    assertThat(Bytes.wrap(record.encode()).toHex())
        .isEqualTo("02" + schema + "c801" + tablets + "00000000ef8d2b81");
    assertThat(TableRecord.decode(record.encode())).isEqualTo(record);
    String earlier = "01" + schema + tablets + "0000000064dd8a5e";
    assertThat(TableRecord.decode(HexFormat.of().parseHex(earlier)).birth()).isZero();
  }
}
