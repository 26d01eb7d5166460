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

/**
 * A Bigtable-like store: tables of rows of versioned cells, with atomic procedures over rows.
 *
 * <p>Calls block and come in batches; a store groups a batch by tablet and works on tablets in
 * parallel where that pays. Implementing classes must comply with the following:
 *
 * <ul>
 *   <li>Rows are ordered by their keys, cells of a row by family, qualifier, and version from high
 *       to low. Keys and qualifiers are any bytes, 0x00 and 0xFF among them, or none.
 *   <li>A cell that was put is the one read, until a put of the same column and version replaces it
 *       or a delete of that version removes it. A put after a delete of the same version shows. A
 *       delete touches no other version.
 *   <li>{@link #read read} and {@link #scan scan} return each row as it was at one instant, all
 *       families together. Different rows may be seen at different instants.
 *   <li>A procedure runs at one instant over all its rows: nobody sees a part of its writes, and
 *       nothing changes its rows between its reads and its writes. Its reads do not see its own
 *       writes. When it throws, it has changed nothing, and the call throws the same or a {@link
 *       StoreException}, a {@link DamagedCellException} as such; what became of the other items of
 *       the call is not known.
 *   <li>{@link #execute execute} and {@link #write write} answer each item by itself. {@link
 *       Outcome.Done} means executed, and durable as asked. {@link Outcome.NotExecuted} means it
 *       was not and never will be. {@link Outcome.Unknown} means either. A store may run an item
 *       several times before it answers, and one that {@link #resends} also later: procedures are
 *       idempotent.
 *   <li>Within one call items run in any order; an item that was answered happened before any call
 *       that begins after the answer.
 *   <li>An acknowledged write is never lost, within the durability that was asked for: after a
 *       crash of the process BUFFERED suffices, after one of the machine only SYNCED does. Writes
 *       survive in order: if a write is there, every earlier one to the same tablet is.
 *   <li>{@link #tablets tablets} partitions the whole key space of a table. It is a hint: a tablet
 *       may have split or moved meanwhile, and a call that relied on it gets NotExecuted or is
 *       regrouped.
 *   <li>Before a read, scan or procedure with a snapshot is served, the tablet clock of the row is
 *       raised to that snapshot, and all local commits drawn at or below it are applied (see {@link
 *       TabletClock}).
 *   <li>No procedure that passed an older epoch of its table runs after {@link #raiseEpoch
 *       raiseEpoch} returned, and none that was shown an older low watermark after {@link
 *       #raiseWatermark raiseWatermark} did.
 *   <li>A read, scan or procedure with a snapshot below the {@link #birth birth} of its table
 *       throws {@link TableReplacedException}, and happens not at all.
 *   <li>A call with an unknown table or family throws {@link UnknownTableException} before anything
 *       happens. Any other failure of a read or an administrative call throws {@link
 *       StoreException}.
 *   <li>All methods may be called by many threads. After {@link #close} every call throws {@link
 *       TabletUnavailableException}.
 * </ul>
 */
public interface CellStore extends AutoCloseable {

  /** Reads rows; the answers stand in the order of the requests. An absent row has no cells. */
  List<RowCells> read(List<RowRead> requests);

  /** Reads one row. */
  default RowCells read(RowRead request) {
    return read(List.of(request)).get(0);
  }

  /**
   * Opens a scan over a range of rows; those without a selected cell are left out. The caller
   * closes it.
   */
  RowScanner scan(ScanRequest request);

  /**
   * Writes without reading. Each {@link RowWrite} is atomic; the answers stand in the order of the
   * writes. Meant for system rows and bulk work: transactional data is written by procedures.
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
   * Whether an item may run once more at any time after it was answered, because a copy of its
   * message was late. Where that cannot be, what an answer has refused need not be kept from
   * happening later.
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
   * As {@link #advanceClock(long)}, with a timestamp that is asked for when the store is ready to
   * use it: a store may have to learn first what it will serve for, and a timestamp that the oracle
   * gave out before that does not.
   *
   * @param fresh asks the oracle; what it throws the call throws
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
   * @param birth asks the oracle for the birth of a table that is created, and for nothing else;
   *     only when no earlier table of the name is left, so that all that was begun with such a one
   *     lies below it
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
   * When the table was created, which never changes; 0 when that is not known. Of two tables of one
   * name, one after the other, the later has the higher birth.
   */
  long birth(String table);

  /** Removes a table with all its data; does nothing when there is none. */
  void dropTable(String name);

  /** Cuts the tablet that holds {@code key} so that a tablet begins there. Idempotent. */
  void splitTablet(String table, Bytes key);

  /** The epoch of the table; its birth when it was created. */
  long epoch(String table);

  /**
   * Raises the epoch of a table durably; does nothing when it is as high already. After the return
   * no procedure that was passed a lower epoch has yet to run.
   */
  void raiseEpoch(String table, long epoch);

  /** The low watermark, below which nothing may be read or begun any more; 0 until it is raised. */
  long watermark();

  /**
   * Raises the low watermark durably; does nothing when it is as high already. After the return no
   * procedure that was shown a lower one has yet to run.
   */
  void raiseWatermark(long timestamp);

  /**
   * A hint that a collection has settled what was begun at or below a timestamp, which the low
   * watermark has passed: a store that rewrites its files anyway may leave out of them what the
   * collection would remove.
   */
  default void settled(long timestamp) {}

  /**
   * A hint that {@link #rowsWritten rowsWritten} will be asked for: from now on the store may
   * remember which rows of the table are written. It goes on until {@link #forgetWrites
   * forgetWrites}, at most as long as it has room for them.
   *
   * @param fresh asks the oracle for a timestamp, when the store has begun to remember
   */
  default void rememberWrites(String table, LongSupplier fresh) {}

  /** Nobody will ask which rows of a table were written. */
  default void forgetWrites(String table) {}

  /**
   * The rows of a table that may have cells of {@link TableSchema.Kind#DATA} families which are
   * shown between two versions, both included. Empty when the store does not know without looking:
   * then a scan for these versions tells.
   */
  default Optional<Set<Bytes>> rowsWritten(String table, long from, long to) {
    return Optional.empty();
  }

  /**
   * A hint that much was removed in a range of a table: a store may give the space back now. Long,
   * and in nobody's way.
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

  /** Whether the store has veils; the calls below are refused by one that has not. */
  default boolean hasVeils() {
    return false;
  }

  /**
   * Puts a veil over a version of a table, durably: from the return on, cells of exactly this
   * version are shown to nobody ({@link Veils}). Does nothing when there is or was one. They come
   * by {@link #ingest ingest}; who writes one otherwise may see it in the moment before it counts
   * as veiled.
   *
   * @param wins whether its cells shall come above what is written from now until it is lifted
   * @throws TableReplacedException when the version is below the birth of the table
   */
  default void veil(String table, long version, boolean wins) {
    throw noVeils();
  }

  /**
   * Lifts a veil: at one instant all its cells are shown, at a version that the tablet clock draws:
   * above every snapshot served and every version stored, and below all that the oracle has yet to
   * give out. Durable when it returns; answers the same version when called again.
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
   * The longest time that an ingest or a lift kept others waiting since this was last asked, in
   * nanoseconds; 0 when that is not known. An ingest of cells under a veil keeps writers waiting,
   * all else all other calls.
   */
  default long takeLongestPause() {
    return 0;
  }

  /**
   * Why the store refuses every write now, and what to do: open it again, or make room. Empty while
   * it takes writes.
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
