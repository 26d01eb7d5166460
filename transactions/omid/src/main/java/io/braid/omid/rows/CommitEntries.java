package io.braid.omid.rows;

import io.braid.core.cells.DecisionPoint.CommitEntry;
import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Row;
import io.braid.core.store.TableSchema;
import io.braid.core.store.TableSchema.FamilySchema;
import io.braid.core.store.TableSchema.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * The commit table (section 3.1): one row for each transaction that is being committed. Braid owns
 * the table, so resolving a tentative cell needs no right on another's data. Rows are spread evenly
 * over its tablets by a hash of the start timestamp, which is the first byte of their keys.
 */
public final class CommitEntries {
  public static final String TABLE = "~commits";
  public static final String FAMILY = "~commit";

  /** The cell that decides. */
  public static final ColumnName COLUMN = new ColumnName(FAMILY, Bytes.EMPTY);

  /** The version of the cell that decides. */
  public static final long VERSION = 1;

  /** The value of an entry whose transaction a reader has invalidated; the paper's bottom. */
  public static final long INVALID = 0;

  /** The answer to a proposal when the entry may already have been removed; never stored. */
  public static final long FORGOTTEN = 1;

  private static final int TABLETS = 16;
  private static final int KEY = 1 + Long.BYTES;

  private CommitEntries() {}

  public static TableSchema schema() {
    return new TableSchema(TABLE, List.of(new FamilySchema(FAMILY, Kind.SPARSE)));
  }

  /** Returns the first keys of its tablets, without that of the first tablet. */
  public static List<Bytes> splits() {
    List<Bytes> splits = new ArrayList<>();
    for (int i = 1; i < TABLETS; i++) {
      splits.add(Bytes.ofInts(i * 256 / TABLETS));
    }
    return splits;
  }

  public static Row row(long start) {
    return Row.of(TABLE, key(start));
  }

  /** The decision point of the transaction begun at {@code start}. */
  public static CommitEntry of(long start) {
    return new CommitEntry(TABLE, key(start));
  }

  /** The start timestamp of the transaction whose entry has this key. */
  public static long start(Bytes key) {
    if (key.length() < KEY) {
      throw new IllegalArgumentException("No entry of the commit table has the key " + key + ".");
    }
    return key.longAt(1);
  }

  /**
   * Returns the content of a transaction id: the key of an entry, and a cell that the transaction
   * writes. If the entry is gone, the commit record of that cell shows the commit.
   */
  public static Bytes keyWithWitness(long start, Row row, ColumnName column) {
    return new Encoder().raw(key(start)).row(row).column(column).finish();
  }

  /**
   * As {@link #keyWithWitness keyWithWitness}, for a fast write: it has no entry, so only the cell
   * shows the commit.
   *
   * @param atLeast the timestamp that its version is above
   */
  public static Bytes keyOfFastWrite(long id, Row row, ColumnName column, long atLeast) {
    return new Encoder().raw(key(id)).row(row).column(column).varint(atLeast).finish();
  }

  /**
   * Refuses an entry that does not belong to the transaction begun at {@code start}.
   *
   * @throws IllegalArgumentException if the entry does not belong to it
   */
  public static void requireNameOf(long start, CommitEntry entry) {
    if (!entry.table().equals(TABLE) || !entry.key().startsWith(key(start))) {
      throw new IllegalArgumentException(
          "No transaction begun at " + start + " has this id: take one that an error has told.");
    }
  }

  /** Returns the part of a transaction id after the entry key; empty for the key alone. */
  public static Decoder witness(Bytes keyWithWitness) {
    return new Decoder(keyWithWitness.slice(KEY));
  }

  static Bytes value(long commit) {
    return new Encoder(16).varint(commit).finish();
  }

  /** The commit timestamp in an entry, or {@link #INVALID}. */
  public static long commit(Bytes value) {
    return new Decoder(value).varint();
  }

  private static Bytes key(long start) {
    long mixed = start * 0x9E3779B97F4A7C15L;
    return new Encoder(16).u8((int) (mixed >>> 56)).int64(start).finish();
  }
}
