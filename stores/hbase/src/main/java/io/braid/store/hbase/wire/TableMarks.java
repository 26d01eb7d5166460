package io.braid.store.hbase.wire;

import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Braid's notes about a table, in the descriptor of one of its families. There they change without
 * touching parts that others change meanwhile. A change reopens all regions, one after another, and
 * ends when no region with the old notes is left. So nothing runs under an old epoch after a raise.
 *
 * @param family the family that has the notes
 * @param id the id of exactly this table; a later table of the same name has a different one
 * @param born whether the table has a birth, in a cell beside its epoch: until the birth is in that
 *     cell, nothing is read or written
 */
public record TableMarks(String family, String id, long epoch, boolean born) {
  private static final Bytes BORN = key("BRAID_BORN");
  private static final Bytes ID = key("BRAID_ID");
  private static final Bytes EPOCH = key("BRAID_EPOCH");

  private static Bytes key(String name) {
    return new Bytes(name.getBytes(StandardCharsets.UTF_8));
  }

  /** Null for a table that is none of Braid's. */
  public static @Nullable TableMarks of(TableDescriptor table) {
    for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
      Bytes id = family.getValue(ID);
      Bytes epoch = family.getValue(EPOCH);
      if (id != null && epoch != null) {
        return new TableMarks(
            family.getNameAsString(),
            text(id),
            Long.parseLong(text(epoch)),
            family.getValue(BORN) != null);
      }
    }
    return null;
  }

  public ColumnFamilyDescriptor note(ColumnFamilyDescriptor on) {
    ColumnFamilyDescriptorBuilder noted =
        ColumnFamilyDescriptorBuilder.newBuilder(on)
            .setValue(ID, key(id))
            .setValue(EPOCH, key(Long.toString(epoch)));
    return (born ? noted.setValue(BORN, key("yes")) : noted).build();
  }

  private static String text(Bytes value) {
    return new String(value.copyBytes(), StandardCharsets.UTF_8);
  }
}
