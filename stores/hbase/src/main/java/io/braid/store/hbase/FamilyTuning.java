package io.braid.store.hbase;

import io.braid.core.store.TableSchema.FamilySchema;
import io.braid.core.store.TableSchema.Kind;
import io.braid.store.hbase.wire.FamilyKind;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.MemoryCompactionPolicy;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.BloomType;

/**
 * How a family is kept in HBase. All versions stay until Braid removes them, and a delete hides
 * only what was there before it: HBase's own rule would hide later puts of the same version too.
 */
final class FamilyTuning {
  private FamilyTuning() {}

  static ColumnFamilyDescriptor descriptor(FamilySchema family) {
    ColumnFamilyDescriptorBuilder builder =
        ColumnFamilyDescriptorBuilder.newBuilder(family.name().getBytes(StandardCharsets.UTF_8));
    return FamilyKind.note(builder, family.kind())
        .setMaxVersions(Integer.MAX_VALUE)
        .setMinVersions(0)
        .setTimeToLive(HConstants.FOREVER)
        .setKeepDeletedCells(KeepDeletedCells.FALSE)
        .setNewVersionBehavior(true)
        .setInMemoryCompaction(MemoryCompactionPolicy.NONE)
        .setBloomFilterType(BloomType.ROW)
        .setInMemory(family.kind() == Kind.SPARSE)
        .build();
  }
}
