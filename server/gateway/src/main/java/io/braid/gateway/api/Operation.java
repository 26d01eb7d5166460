package io.braid.gateway.api;

import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.Scan;
import io.braid.gateway.access.Role;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A step of a transaction. */
public sealed interface Operation {
  /** The table that it touches. */
  String table();

  /** Returns the role that the operation needs on its table. */
  default Role role() {
    return Role.READ;
  }

  /** Returns the approximate number of bytes that the operation makes a transaction buffer. */
  default long bytes() {
    return 0;
  }

  /**
   * Reads columns of a row.
   *
   * @param columns none: all
   */
  record Get(Row row, List<Column<Bytes>> columns) implements Operation {
    @Override
    public String table() {
      return row.table();
    }
  }

  /** Reads rows. */
  record Read(Scan scan) implements Operation {
    @Override
    public String table() {
      return scan.table();
    }
  }

  /** Goes on only if columns have these values, or none, and still have them at the commit. */
  record Expect(Row row, Map<Column<Bytes>, Optional<Bytes>> columns) implements Operation {
    @Override
    public String table() {
      return row.table();
    }

    @Override
    public Role role() {
      return Role.WRITE;
    }
  }

  /** Sets columns, or deletes them. */
  record Set(Row row, Map<Column<Bytes>, Optional<Bytes>> columns) implements Operation {
    @Override
    public String table() {
      return row.table();
    }

    @Override
    public Role role() {
      return Role.WRITE;
    }

    @Override
    public long bytes() {
      return columns.entrySet().stream()
          .mapToLong(
              e ->
                  100L
                      + row.key().length()
                      + e.getKey().name().qualifier().length()
                      + e.getValue().map(Bytes::length).orElse(0))
          .sum();
    }
  }

  /** Keeps columns from others until the commit, without changing them. */
  record Lock(Row row, List<Column<Bytes>> columns) implements Operation {
    @Override
    public String table() {
      return row.table();
    }

    @Override
    public Role role() {
      return Role.WRITE;
    }
  }
}
