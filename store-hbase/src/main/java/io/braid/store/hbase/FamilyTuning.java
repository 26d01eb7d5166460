package io.braid.store.hbase;

import io.braid.core.store.TableSchema.FamilySchema;
import io.braid.core.store.TableSchema.Kind;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.MemoryCompactionPolicy;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * How a family is kept in HBase. All versions stay until Braid removes them, and a delete hides
 * only what was there before it: HBase's own rule would hide later puts of the same version too.
 */
final class FamilyTuning {
  private static final Bytes KIND = new Bytes("BRAID_KIND".getBytes(StandardCharsets.UTF_8));

  private FamilyTuning() {}

  static ColumnFamilyDescriptor descriptor(FamilySchema family) {
    return ColumnFamilyDescriptorBuilder.newBuilder(family.name().getBytes(StandardCharsets.UTF_8))
        .setMaxVersions(Integer.MAX_VALUE)
        .setMinVersions(0)
        .setTimeToLive(HConstants.FOREVER)
        .setKeepDeletedCells(KeepDeletedCells.FALSE)
        .setNewVersionBehavior(true)
        .setInMemoryCompaction(MemoryCompactionPolicy.NONE)
        .setBloomFilterType(BloomType.ROW)
        .setInMemory(family.kind() == Kind.SPARSE)
        .setValue(KIND, new Bytes(family.kind().name().getBytes(StandardCharsets.UTF_8)))
        .build();
  }

  static Kind kind(ColumnFamilyDescriptor family) {
    Bytes kind = family.getValue(KIND);
    return kind == null
        ? Kind.DATA
        : Kind.valueOf(new String(kind.copyBytes(), StandardCharsets.UTF_8));
  }
}
