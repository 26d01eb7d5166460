package io.braid.omid;

import io.braid.core.cells.CellWrite;
import io.braid.core.cells.RowMutation;
import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.protocol.Backoff;
import io.braid.core.protocol.ColumnRules;
import io.braid.core.protocol.ProtocolSnapshot;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.TableReplacedException;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.ConflictException.Cause;
import io.braid.core.transaction.FastOptions;
import io.braid.core.transaction.FastSession;
import io.braid.core.transaction.Limits;
import io.braid.core.transaction.RowChange;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Transactions;
import io.braid.omid.rows.FastRead;
import io.braid.omid.rows.FastWrite;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The fast path (section 4): decides which operations can use it, and does the rest in regular
 * transactions. It works on tables of any protocol: a lock counts as a tentative cell.
 */
final class FastPath implements FastSession {
  private final ProtocolContext around;
  private final FastOptions options;
  private final RegularTransactions regular;
  private final FastWrites writes;
  private final Limits limits;
  private final OmidTransactions db;
  private final SessionTables tables;
  private final AtomicLong last;

  /**
   * @param regular transactions over all tables that this session may use
   */
  FastPath(ProtocolContext around, OmidTransactions db, Transactions regular, FastOptions options) {
    this.around = around;
    this.options = options;
    this.db = db;
    this.tables = new SessionTables(around.tables(), around.oracle());
    this.regular = new RegularTransactions(regular, tables::epoch);
    this.writes = new FastWrites(around);
    this.limits = around.options().limits();
    this.last = new AtomicLong(options.after());
  }

  /** As {@link #readVersion}, without a map for the only value. */
  @Override
  public <T> Optional<T> read(Row row, Column<T> column) {
    ColumnRules.check(row.table(), column.name());
    FastRead.Answer answer = ask(row, List.of(column.name()));
    if (answer.own()) {
      return regular.read(row, List.of(column)).value().get(column);
    }
    return answer.found().isEmpty()
        ? Optional.empty()
        : Optional.of(column.codec().decode(answer.found().get(0).value()));
  }

  @Override
  public Versioned<RowValues> readVersion(Row row, Collection<? extends Column<?>> columns) {
    List<ColumnName> names = ProtocolSnapshot.names(columns);
    names.forEach(name -> ColumnRules.check(row.table(), name));
    FastRead.Answer answer = ask(row, names);
    // Commits of this process may still wait for their post-commit: a snapshot sees them. Also, an
    // intent on one of several columns may become a record below the version of another column.
    if (answer.own() || (answer.passed() && names.size() > 1)) {
      return regular.read(row, columns);
    }
    SortedMap<ColumnName, Bytes> values = new TreeMap<>();
    answer.found().forEach(found -> values.put(found.column(), found.value()));
    return new Versioned<>(answer.version(), new RowValues(row, values));
  }

  private FastRead.Answer ask(Row row, List<ColumnName> columns) {
    try {
      return askOnce(row, columns);
    } catch (TableReplacedException e) {
      tables.met(e);
      return askOnce(row, columns);
    }
  }

  private FastRead.Answer askOnce(Row row, List<ColumnName> columns) {
    FastRead.Request request =
        new FastRead.Request(
            row, columns, around.seams().liveness().token(), tables.birth(row.table()));
    Backoff backoff = null;
    for (int attempt = 1; ; attempt++) {
      Outcome<FastRead.Answer> outcome =
          around.trips().execute(FastRead.INSTANCE, request, Durability.BUFFERED);
      if (outcome instanceof Outcome.Done<FastRead.Answer> done) {
        return done.result();
      }
      backoff = backoff != null ? backoff : around.storeBackoff();
      if (attempt == around.storeAttempts() || !backoff.pause()) {
        throw new TabletUnavailableException("The store did not answer a read: " + outcome);
      }
    }
  }

  /** As {@link #write(RowChange)}, without a map for the only value. */
  @Override
  public <T> long write(Row row, Column<T> column, T value) {
    CellWrite cell = cell(row, column.name(), column.encode(value));
    sum(0, row, cell);
    return put(
        mutation(row, List.of(cell)),
        () -> RowChange.of(row).set(column, value),
        FastWrite.ANY,
        false);
  }

  @Override
  public long write(RowChange change) {
    return put(mutation(change), () -> change, FastWrite.ANY, false);
  }

  @Override
  public long writeIf(long version, RowChange change) {
    if (version < 0) {
      throw new IllegalArgumentException("No version is below 0: " + version + ".");
    }
    around.oracle().requireIssued(version);
    return put(mutation(change), () -> change, version, false);
  }

  /**
   * @param mutation with the epoch that was known before indexes are looked up here: an index that
   *     is created meanwhile changes the epoch, which refuses the write
   * @param change the same, for a regular transaction
   */
  private long put(RowMutation mutation, Supplier<RowChange> change, long upTo, boolean again) {
    requireOfThisTable(mutation.row().table(), upTo);
    if (needsRegular(mutation)) {
      if (!options.orRegular() && !db.isIndexed(mutation.row().table())) {
        throw observed(change.get());
      }
      return took(regular.write(change.get(), upTo, null));
    }
    try {
      long version = writes.send(mutation, request(mutation.row().table()), upTo, false);
      return took(
          version != FastWrites.NO_VERSION ? version : regular.write(change.get(), upTo, null));
    } catch (ConflictException e) {
      if (e.conflicts().get(0).cause() == Cause.NEW_EPOCH && !again) {
        // The table has changed; it may have an index now.
        return put(mutation(mutation.row(), mutation.cells()), change, upTo, true);
      }
      if (!options.orRegular()) {
        throw e;
      }
      return took(regular.write(change.get(), upTo, e));
    }
  }

  /** Refuses a version that was read in an earlier table of the same name. */
  private void requireOfThisTable(String table, long upTo) {
    long birth = tables.birth(table);
    if (upTo != 0 && upTo < birth) {
      throw new TableReplacedException(table, birth);
    }
  }

  @Override
  public long write(Request request, RowChange change) {
    around.oracle().requireIssued(request.after());
    RowMutation mutation = mutation(change);
    if (needsRegular(mutation)) {
      throw observed(change);
    }
    long version = writes.send(mutation, NamedWrite.of(request, change), FastWrite.ANY, true);
    if (version == FastWrites.NO_VERSION) {
      throw new TabletUnavailableException(
          "The tablet clock of " + change.row() + " has no timestamps left: try again.");
    }
    return took(version);
  }

  private static IllegalArgumentException observed(RowChange change) {
    return new IllegalArgumentException(
        "A column of "
            + change
            + " is observed, or its table has an index: write it in a regular transaction, or let"
            + " the session use one (orRegular).");
  }

  private boolean needsRegular(RowMutation mutation) {
    for (CellWrite cell : mutation.cells()) {
      if (db.isRegularOnly(mutation.row().table(), cell.column())) {
        return true;
      }
    }
    return false;
  }

  private RowMutation mutation(RowChange change) {
    Row row = change.row();
    if (change.columns().isEmpty()) {
      throw new IllegalArgumentException("There is nothing to write in " + row + ".");
    }
    List<CellWrite> cells = new ArrayList<>(change.columns().size());
    long bytes = 0;
    for (Map.Entry<ColumnName, Optional<Bytes>> each : change.columns().entrySet()) {
      CellWrite cell = cell(row, each.getKey(), each.getValue().orElse(null));
      bytes = sum(bytes, row, cell);
      cells.add(cell);
    }
    return mutation(row, cells);
  }

  private CellWrite cell(Row row, ColumnName column, @Nullable Bytes value) {
    ColumnRules.checkUsers(row.table(), column);
    around.tables().require(row.table(), column.family());
    if (value == null) {
      return CellWrite.delete(column);
    }
    limits.requireValue(row, column, value);
    return CellWrite.put(column, value, around.options().smallValueBytes());
  }

  /** Returns how many bytes are written with a cell more, which has to be within the limits. */
  private long sum(long before, Row row, CellWrite cell) {
    ColumnName column = cell.column();
    limits.requireKeys(row, column);
    long bytes = before + row.key().length() + column.qualifier().length() + cell.value().length();
    Limits.requireRoom(bytes, limits.transactionBytes(), row, column);
    return bytes;
  }

  private RowMutation mutation(Row row, List<CellWrite> cells) {
    return new RowMutation(row, tables.epoch(row.table()), cells, List.of());
  }

  @Override
  public Request request() {
    long id = around.seams().random().nextLong(1, 1L << 48) << 8 | 1;
    return new Request(id, Math.max(last.get(), around.oracle().lastIssued()));
  }

  /** Returns a request above the birth of the table: another process may just have created it. */
  private Request request(String table) {
    Request request = request();
    return new Request(request.id(), Math.max(request.after(), tables.birth(table)));
  }

  private long took(long version) {
    last.accumulateAndGet(version, Math::max);
    return version;
  }

  @Override
  public long last() {
    return last.get();
  }

  /** Whether this is the id of a fast write, not a start timestamp. */
  static boolean isRequest(long id) {
    return (id & 0xFF) != 0;
  }
}
