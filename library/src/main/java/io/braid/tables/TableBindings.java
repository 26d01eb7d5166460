package io.braid.tables;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.store.StoreException;
import io.braid.core.store.SystemRows;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.store.UnknownTableException;
import io.braid.core.transaction.Protocol;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The tables that are bound to Omid, as rows {@code table/NAME} of Braid's own table; all others
 * are bound to Percolator.
 *
 * <p>Where several processes share the database, each remembers the rows, and reads them again
 * whenever it learns an epoch of a table ({@link #lookAgain}). So a writer under an epoch knows the
 * protocol of that epoch. In such a database a name keeps its protocol, even when the table is
 * dropped, and has a row whatever its protocol is. The row also marks a table that is about to
 * change its protocol.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class TableBindings {
  private static final Duration PAUSE = Duration.ofMillis(5);
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final CellStore store;
  private final SystemRows<Binding> rows;
  private final Seams seams;
  private final boolean shared;
  private final Set<String> held = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /** Tables that exist without a row, where several processes share them. */
  private final Set<String> plain = ConcurrentHashMap.newKeySet();

  /**
   * The protocol that a table is bound to.
   *
   * @param next the protocol that the table is about to be bound to: until then the table is not
   *     written; null when no change is pending
   */
  private record Binding(Protocol protocol, @Nullable Protocol next) {
    Bytes encode() {
      return Bytes.of(next == null ? protocol.word() : protocol.word() + ">" + next.word());
    }

    static Binding decode(String table, Bytes bytes) {
      String[] words = bytes.toUtf8().split(">", 2);
      return new Binding(
          TableBindings.protocol(table, words[0]),
          words.length == 1 ? null : TableBindings.protocol(table, words[1]));
    }
  }

  public TableBindings(CellStore store, Seams seams, boolean shared) {
    this.store = store;
    this.seams = seams;
    this.shared = shared;
    this.rows = new SystemRows<>(store, "table", "protocol", Binding::decode, Binding::encode);
  }

  private static Protocol protocol(String table, String word) {
    for (Protocol each : Protocol.values()) {
      if (each.word().equals(word)) {
        return each;
      }
    }
    throw new StoreException(
        "Table " + table + " is bound to '" + word + "', which this version does not know.");
  }

  /** Refuses, from now on, snapshots and transactions that are still open. */
  void close() {
    closed = true;
  }

  /**
   * @throws IllegalStateException when the database is closed
   */
  void requireOpen() {
    if (closed) {
      throw new IllegalStateException("The database is closed: open it again.");
    }
  }

  /** Reads what other processes may have changed. */
  void lookAgain() {
    if (shared) {
      rows.reload();
    }
  }

  /** Whether several processes share the database. */
  boolean isShared() {
    return shared;
  }

  /** Returns whether all tables are bound to Percolator, now and until one is bound here. */
  boolean isEmpty() {
    return !shared && rows.known().isEmpty();
  }

  /** Whether a table is known to be bound to Omid. */
  boolean knowsOmid() {
    return rows.known().values().stream()
        .anyMatch(each -> each.protocol == Protocol.OMID || each.next == Protocol.OMID);
  }

  Protocol of(String table) {
    Binding known = rows.known().get(table);
    if (known != null) {
      return known.protocol;
    }
    return shared && !plain.contains(table) ? look(table) : Protocol.PERCOLATOR;
  }

  /** A table that exists has been bound before it was created. */
  private Protocol look(String table) {
    if (store.table(table).isEmpty()) {
      return rows.look(table).map(Binding::protocol).orElse(Protocol.PERCOLATOR);
    }
    rows.reload();
    Binding found = rows.known().get(table);
    if (found == null) {
      plain.add(table);
    }
    return found == null ? Protocol.PERCOLATOR : found.protocol;
  }

  /** The same as {@link #of}, for a writer: waits while the table changes its protocol. */
  public Protocol forWriting(String table) {
    if (mayBeWritten(table)) {
      return of(table);
    }
    long begun = seams.nanoTime();
    while (!mayBeWritten(table)) {
      seams.sleep(PAUSE);
      if (Thread.currentThread().isInterrupted()) {
        throw new TabletUnavailableException("Interrupted while table " + table + " was changed.");
      }
      if (seams.nanoTime() - begun > PATIENCE.toNanos()) {
        throw new TabletUnavailableException(
            "Table "
                + table
                + " is changing its protocol, or is being dropped, for too long: the process that"
                + " began it may have died. Do it again to go on.");
      }
      lookAgain();
    }
    return of(table);
  }

  /**
   * Refuses a table that is not there: it is bound to nothing.
   *
   * @throws UnknownTableException so
   */
  void requireThere(String table) {
    if (store.tables().stream().noneMatch(each -> each.name().equals(table))) {
      throw new UnknownTableException("Table " + table + " does not exist: create it first.");
    }
  }

  /** Returns whether no change of the table is known to be under way. */
  boolean mayBeWritten(String table) {
    Binding known = rows.known().get(table);
    return (known == null || known.next == null) && (held.isEmpty() || !held.contains(table));
  }

  long epoch(String table) {
    return store.epoch(table);
  }

  /** Has writers of these tables in this process wait. */
  void hold(List<String> tables) {
    held.addAll(tables);
  }

  void release(List<String> tables) {
    tables.forEach(held::remove);
  }

  /**
   * Has writers of a table in all processes wait once they know its next epoch, until it is {@link
   * #rebind bound} to something, perhaps to the same.
   */
  void announce(String table, Protocol protocol) {
    if (shared) {
      rows.put(table, new Binding(of(table), protocol));
    }
  }

  /** Binds a table that exists; nothing of its old protocol is left in it. */
  void rebind(String table, Protocol protocol) {
    Binding known = rows.known().get(table);
    if (of(table) != protocol || known != null && known.next != null) {
      set(table, protocol);
    }
  }

  private void set(String table, Protocol protocol) {
    boolean plainly = protocol == Protocol.PERCOLATOR && !shared;
    rows.put(table, plainly ? null : new Binding(protocol, null));
  }

  /**
   * Binds a table before it is created. The caller holds its lock, or the table is a new index.
   *
   * @throws IllegalArgumentException when it exists and is bound to another
   */
  void bind(String table, Protocol protocol) {
    if (shared) {
      bindForAll(table, protocol);
      return;
    }
    Protocol before = of(table);
    if (before != protocol && store.table(table).isPresent()) {
      throw boundAlready(table, before, protocol);
    }
    if (before != protocol) {
      set(table, protocol);
    }
  }

  /** Binds a name that has no protocol so far. */
  private void bindForAll(String table, Protocol protocol) {
    rows.reload();
    boolean exists = store.table(table).isPresent();
    Optional<Protocol> before =
        Optional.ofNullable(rows.known().get(table))
            .map(Binding::protocol)
            .or(() -> exists ? Optional.of(Protocol.PERCOLATOR) : Optional.empty());
    if (before.isPresent() && before.get() != protocol) {
      throw boundAlready(table, before.get(), protocol);
    }
    Binding known = rows.known().get(table);
    boolean halfDropped = known != null && known.next != null && !exists;
    if (known == null || halfDropped) {
      set(table, protocol);
    }
  }

  private IllegalArgumentException boundAlready(String table, Protocol before, Protocol wanted) {
    return new IllegalArgumentException(
        "Table "
            + table
            + (shared && store.table(table).isEmpty() ? " was dropped, and its name" : "")
            + " is bound to "
            + before.word()
            + " already: create another for "
            + wanted.word()
            + ".");
  }

  /** The table is gone. */
  void unbind(String table) {
    if (!shared && rows.known().containsKey(table)) {
      rows.put(table, null);
    }
  }
}
