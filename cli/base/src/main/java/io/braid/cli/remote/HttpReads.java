package io.braid.cli.remote;

import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Snapshot;
import java.util.OptionalLong;

/**
 * The common part of snapshots and transactions over HTTP, and the reads that HTTP has no address
 * for.
 */
abstract class HttpReads implements Snapshot {
  @Override
  public RowValues getRow(Row row, String... families) {
    throw new UnsupportedOperationException("No workload reads whole rows.");
  }

  @Override
  public OptionalLong lastChanged(Row row, Column<?> column) {
    throw new UnsupportedOperationException("Versions of columns are not told over HTTP.");
  }
}
