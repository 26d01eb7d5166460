package io.braid.store.rocksdb.tables;

import io.braid.core.store.TableSchema.FamilySchema;
import io.braid.core.store.TableSchema.Kind;
import io.braid.core.store.Veils;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;

/** A family of a table while the store is open. */
public final class Family {
  public final String name;
  public final Kind kind;
  public final ColumnFamilyHandle handle;

  /** The number of the column family in the log of RocksDB. */
  public final int id;

  /** Those of the table; changed alone in the gate. */
  public volatile Veils veils = Veils.NONE;

  /** Only for sparse families. */
  public final @Nullable PresenceFilter filter;

  Family(FamilySchema schema, ColumnFamilyHandle handle, PresenceMemory presence) {
    this.name = schema.name();
    this.kind = schema.kind();
    this.handle = handle;
    this.id = handle.getID();
    this.filter = kind == Kind.SPARSE ? new PresenceFilter(presence) : null;
  }

  /** Releases the presence filter, when no call uses the family any more. */
  void releaseTo(PresenceMemory presence) {
    if (filter != null) {
      presence.gone(filter);
    }
  }

  public FamilySchema schema() {
    return new FamilySchema(name, kind);
  }
}
