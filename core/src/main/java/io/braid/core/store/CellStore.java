package io.braid.core.store;

import io.braid.core.data.Bytes;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apiguardian.api.API;

/**
 * A Bigtable-like store: tables of rows of versioned cells, with atomic procedures over rows.
 *
 * <p>Calls block and come in batches; a store groups a batch by tablet and works on tablets in
 * parallel where that pays. Implementing classes must comply with the following:
 *
 * <ul>
 *   <li>Rows are ordered by their keys, cells of a row by family, qualifier, and version from high
 *       to low. Keys and qualifiers are any bytes, 0x00 and 0xFF among them, or none.
 *   <li>Reads return a cell that was put, until a put of the same column and version replaces it or
 *       a delete of that version removes it. A put after a delete of the same version is visible. A
 *       delete touches no other version.
 *   <li>{@link #read read} and {@link #scan scan} return each row as it was at one instant, all
 *       families together. Different rows may be seen at different instants.
 *   <li>A procedure runs at one instant over all its rows: no call sees a part of its writes, and
 *       nothing changes its rows between its reads and its writes. Its reads do not see its own
 *       writes. A procedure that throws has changed nothing. The call throws the same exception or
 *       a {@link StoreException}; a {@link DamagedCellException} is always rethrown. The outcome of
 *       the other items of the call is unknown.
 *   <li>{@link #execute execute} and {@link #write write} answer each item by itself. {@link
 *       Outcome.Done} means that the item was executed, and is as durable as requested. {@link
 *       Outcome.NotExecuted} means that the item was not executed and never will be. {@link
 *       Outcome.Unknown} means either. A store may run an item several times before it answers, and
 *       a store that {@link #resends} also later: procedures are idempotent.
 *   <li>Within one call items run in any order. An answered item happened before any call that
 *       begins after the answer.
 *   <li>An acknowledged write is never lost, within the requested durability. BUFFERED survives a
 *       crash of the process; only SYNCED survives a crash of the machine. Writes survive in order:
 *       if a write is there, every earlier write to the same tablet is there too.
 *   <li>{@link #tablets tablets} partitions the whole key space of a table. It is a hint: a tablet
 *       may have split or moved meanwhile, and a call that relied on the old partition gets
 *       NotExecuted or is regrouped.
 *   <li>Before a read, scan or procedure with a snapshot is served, the tablet clock of the row is
 *       raised to it, and all local commits drawn at or below it are applied (see {@link
 *       TabletClock}).
 *   <li>After {@link #raiseEpoch raiseEpoch} returned, no procedure runs that passed an older epoch
 *       of its table. After {@link #raiseWatermark raiseWatermark} returned, no procedure runs that
 *       saw an older low watermark.
 *   <li>A read, scan or procedure with a snapshot below the {@link #birth birth} of its table
 *       throws {@link TableReplacedException} without any effect.
 *   <li>A call with an unknown table or family throws {@link UnknownTableException} before anything
 *       happens. Any other failure of a read or an administrative call throws {@link
 *       StoreException}.
 *   <li>All methods may be called by many threads. After {@link #close} every call throws {@link
 *       TabletUnavailableException}.
 * </ul>
 */
@API(status = API.Status.EXPERIMENTAL)
public interface CellStore extends AutoCloseable {

  /** Reads rows. The answers are in the order of the requests. An absent row has no cells. */
  List<RowCells> read(List<RowRead> requests);

  /** Reads one row. */
  default RowCells read(RowRead request) {
    return read(List.of(request)).get(0);
  }

  /**
   * Opens a scan over a range of rows; rows without a selected cell are left out. The caller closes
   * the scan.
   */
  RowScanner scan(ScanRequest request);

  /**
   * Writes without reading. Each {@link RowWrite} is atomic. The answers are in the order of the
   * writes. Meant for system rows and bulk work: procedures write transactional data.
   */
  List<Outcome<Void>> write(List<RowWrite> writes, Durability durability);

  /**
   * Runs a procedure once for each argument, each time atomically over the rows the argument names.
   *
   * @return the outcomes, in the order of the arguments. An item whose rows are not {@link
   *     #together together} is NotExecuted with {@link Outcome.Reason#NOT_TOGETHER}.
   */
  <A, R> List<Outcome<R>> execute(
      Procedure<A, R> procedure, List<A> arguments, Durability durability);

  /** Runs a procedure once. */
  default <A, R> Outcome<R> execute(Procedure<A, R> procedure, A argument, Durability durability) {
    return execute(procedure, List.of(argument), durability).get(0);
  }

  /**
   * Returns whether an item may run once more at any time after its answer, because a copy of its
   * message was late. Where this is impossible, a write that an answer refused cannot happen later,
   * and needs no protection against that.
   */
  default boolean resends() {
    return true;
  }

  /**
   * Whether one procedure could run over all these rows now. A hint: the answer of {@link #execute
   * execute} decides.
   */
  boolean together(Collection<Row> rows);

  /** The tablets of a table in the order of their keys. A hint, possibly stale. */
  List<Tablet> tablets(String table);

  /**
   * Raises every tablet clock to {@code timestamp}, which the oracle gave out. To be called with a
   * fresh timestamp before the first use and at least every 100 ms thereafter; until the first call
   * the clock is cold and one-phase commits are refused.
   */
  void advanceClock(long timestamp);

  /**
   * As {@link #advanceClock(long)}, with a timestamp that the store requests when it is ready to
   * use it. A store may have to learn first which tablets it will serve, and a timestamp that the
   * oracle gave out before that is too old.
   *
   * @param fresh asks the oracle; its exceptions are rethrown
   */
  default void advanceClock(LongSupplier fresh) {
    advanceClock(fresh.getAsLong());
  }

  /** The tables that exist, in the order of their names. */
  List<TableSchema> tables();

  /** A table; empty when there is none of the name. */
  Optional<TableSchema> table(String name);

  /**
   * Creates the table, or adds the families that it lacks. Families are never removed.
   *
   * @param birth asks the oracle for the birth of a table that is created, and for nothing else.
   *     Called only when no earlier table of the name is left, so that all work begun with an
   *     earlier table lies below the birth
   * @throws StoreException when a family exists with other properties
   */
  void ensureTable(TableSchema schema, LongSupplier birth);

  /**
   * As {@link #ensureTable(TableSchema, LongSupplier)}, without a birth: for Braid's own tables.
   */
  default void ensureTable(TableSchema schema) {
    ensureTable(schema, () -> 0);
  }

  /**
   * Returns when the table was created, which never changes; 0 when that is unknown. Of two
   * successive tables of one name, the later has the higher birth.
   */
  long birth(String table);

  /** Removes a table with all its data; does nothing when there is none. */
  void dropTable(String name);

  /** Cuts the tablet that holds {@code key} so that a tablet begins there. Idempotent. */
  void splitTablet(String table, Bytes key);

  /** The epoch of the table; its birth when it was created. */
  long epoch(String table);

  /**
   * Raises the epoch of a table durably; does nothing when the epoch is as high already. After the
   * return no procedure that passed a lower epoch remains to be run.
   */
  void raiseEpoch(String table, long epoch);

  /** The low watermark, below which nothing may be read or begun any more; 0 until it is raised. */
  long watermark();

  /**
   * Raises the low watermark durably; does nothing when it is as high already. After the return no
   * procedure that saw a lower watermark remains to be run.
   */
  void raiseWatermark(long timestamp);

  /**
   * Hints that a collection has settled everything begun at or below a timestamp, which the low
   * watermark has passed. A store that rewrites its files anyway may leave out the cells that the
   * collection would remove.
   */
  default void settled(long timestamp) {}

  /**
   * A hint that {@link #rowsWritten rowsWritten} will be asked for: from now on the store may
   * remember which rows of the table are written. The store remembers until {@link #forgetWrites
   * forgetWrites}, at most as long as it has room.
   *
   * @param fresh asks the oracle for a timestamp, when the store has begun to remember
   */
  default void rememberWrites(String table, LongSupplier fresh) {}

  /**
   * Ends {@link #rememberWrites rememberWrites}: no caller will ask which rows of the table were
   * written.
   */
  default void forgetWrites(String table) {}

  /**
   * Returns the rows of a table that may have cells of {@link TableSchema.Kind#DATA} families which
   * are shown between two versions, both included. Empty when the store does not know them without
   * looking: then the caller scans for these versions.
   */
  default Optional<Set<Bytes>> rowsWritten(String table, long from, long to) {
    return Optional.empty();
  }

  /**
   * Hints that much was removed in a range of a table: a store may give the space back now. Takes
   * long, and blocks no other call.
   */
  default void reclaim(String table, KeyRange range) {}

  /**
   * A writer of one sorted file that {@link #ingest ingest} accepts, for one family of one table.
   *
   * @param file where to write it; must not exist
   */
  SortedFileWriter sortedFile(String table, String family, Path file);

  /**
   * Takes sorted files over into a family, all of them at one instant, by moving them where the
   * file system allows it. The cells count as written now: they replace equal columns and versions.
   *
   * @throws StoreException when a file is truncated, corrupt, or of another table or family; then
   *     none was taken over
   */
  void ingest(String table, String family, List<Path> files);

  /** Returns whether the store has veils. A store without veils refuses the calls below. */
  default boolean hasVeils() {
    return false;
  }

  /**
   * Puts a veil over a version of a table, durably. From the return on, cells of exactly this
   * version are hidden from all readers ({@link Veils}). Does nothing when there is or was a veil
   * of this version. The cells arrive by {@link #ingest ingest}; a writer of a cell by other means
   * may see it in the moment before it counts as veiled.
   *
   * @param wins whether its cells shall come above what is written from now until the veil is
   *     lifted
   * @throws TableReplacedException when the version is below the birth of the table
   */
  default void veil(String table, long version, boolean wins) {
    throw noVeils();
  }

  /**
   * Lifts a veil: at one instant all its cells are shown, at a version that the tablet clock draws.
   * The version is above every snapshot served and every version stored, and below all timestamps
   * that the oracle has yet to give out. The lift is durable when the call returns; a repeated call
   * answers the same version.
   *
   * @param start a timestamp that the oracle gave out after the caller wanted the lift
   * @param epoch of the table as the caller knows it; if it is another, the veil stays down
   * @param family rows with cells in this family are shown to {@code check}, at that instant
   * @throws StoreException when there is no such veil, it was discarded, or the low watermark is
   *     above it
   */
  default Lift lift(
      String table, long version, long start, long epoch, String family, LiftCheck check) {
    throw noVeils();
  }

  /**
   * Discards a veil durably: its cells will never be shown, and may be removed at their version.
   *
   * @return false when it was lifted
   */
  default boolean discard(String table, long version) {
    throw noVeils();
  }

  /**
   * Returns the longest time in nanoseconds that an ingest or a lift kept other calls waiting since
   * the last call of this method; 0 when it is unknown. An ingest of cells under a veil keeps
   * writers waiting; any other ingest and a lift keep all other calls waiting.
   */
  default long takeLongestPause() {
    return 0;
  }

  /**
   * Returns why the store refuses every write now, and the remedy: open it again, or make room.
   * Empty while the store takes writes.
   */
  default Optional<String> refusesWrites() {
    return Optional.empty();
  }

  /** The veils of a table. */
  default Veils veils(String table) {
    return Veils.NONE;
  }

  private static UnsupportedOperationException noVeils() {
    return new UnsupportedOperationException("This store has no veils.");
  }

  @Override
  void close();
}
