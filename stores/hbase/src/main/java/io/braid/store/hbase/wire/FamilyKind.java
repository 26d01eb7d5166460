package io.braid.store.hbase.wire;

import io.braid.core.store.TableSchema.Kind;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** The kind of a family, as an attribute of its descriptor. */
public final class FamilyKind {
  private static final Bytes KIND = new Bytes("BRAID_KIND".getBytes(StandardCharsets.UTF_8));

  private FamilyKind() {}

  public static ColumnFamilyDescriptorBuilder note(
      ColumnFamilyDescriptorBuilder family, Kind kind) {
    return family.setValue(KIND, new Bytes(kind.name().getBytes(StandardCharsets.UTF_8)));
  }

  public static Kind of(ColumnFamilyDescriptor family) {
    Bytes kind = family.getValue(KIND);
    return kind == null
        ? Kind.DATA
        : Kind.valueOf(new String(kind.copyBytes(), StandardCharsets.UTF_8));
  }
}
