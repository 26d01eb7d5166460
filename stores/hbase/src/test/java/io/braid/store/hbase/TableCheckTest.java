package io.braid.store.hbase;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.store.StoreException;
import io.braid.core.store.TableSchema.FamilySchema;
import io.braid.core.store.TableSchema.Kind;
import io.braid.store.hbase.region.RowService;
import java.io.IOException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

class TableCheckTest {
  private final ColumnFamilyDescriptor family =
      FamilyTuning.descriptor(new FamilySchema("f", Kind.DATA));

  private static TableDescriptorBuilder table(ColumnFamilyDescriptor family) throws IOException {
    return TableDescriptorBuilder.newBuilder(TableName.valueOf("braid", "t"))
        .setColumnFamily(family)
        .setCoprocessor(RowService.class.getName());
  }

  @Test
  void tablesAsTheyAreCreatedAreTaken() throws IOException {
    TableDescriptor created = table(family).build();

    assertThatCode(() -> TableCheck.require(created)).doesNotThrowAnyException();
  }

  @Test
  void alteredTablesAreRefusedWithAllThatIsWrong() throws IOException {
    TableDescriptor altered =
        table(
                ColumnFamilyDescriptorBuilder.newBuilder(family)
                    .setMaxVersions(3)
                    .setTimeToLive(60)
                    .setNewVersionBehavior(false)
                    .build())
            .removeCoprocessor(RowService.class.getName())
            .setDurability(Durability.SKIP_WAL)
            .build();

    assertThatThrownBy(() -> TableCheck.require(altered))
        .isInstanceOf(StoreException.class)
        .hasMessageContainingAll(
            "braid:t",
            "coprocessor",
            "SKIP_WAL",
            "family f: VERSIONS is 3",
            "TTL is 60",
            "NEW_VERSION_BEHAVIOR");
  }

  @Test
  void aServerWithoutTheJarIsNamedWithWhatToDo() {
    StoreException told =
        ServerCheck.explain(
            ServerName.valueOf("host", 16020, 1),
            new StoreException(
                "java.lang.ClassNotFoundException: io.braid.store.hbase.wire.ReleaseProbe"));

    Assertions.assertThat(told)
        .hasMessageContainingAll("host:16020", "does not have Braid's jar", "class path");
  }
}
