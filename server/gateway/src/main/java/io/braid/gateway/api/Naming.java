package io.braid.gateway.api;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Names;
import io.braid.core.data.Row;
import io.braid.gateway.transactions.RequestTables;

/** Tables, rows and columns as clients may name them. */
public final class Naming {
  private Naming() {}

  /** A table of users; Braid's own are not for clients. */
  public static String table(String name) {
    Names.table(name);
    if (RequestTables.isOne(name)) {
      throw new IllegalArgumentException("Table " + name + " is the gateway's own.");
    }
    return name;
  }

  /** A row of such a table. */
  public static Row row(String table, Bytes key) {
    if (key.isEmpty()) {
      throw new IllegalArgumentException("The key of a row is not empty.");
    }
    return new Row(table(table), key);
  }

  /** A column of such a table, with its values as they are. */
  public static Column<Bytes> column(String family, Bytes qualifier) {
    return Column.of(Names.family(family), qualifier, Codecs.bytes());
  }
}
