package io.braid.core.store;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Definitions in Braid's own table, one in each row {@code PREFIX/NAME}. Each process remembers
 * them. Several processes may change them: each change is a compare-and-set.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class SystemRows<T> {
  private static final long VERSION = 1;

  private final CellStore store;
  private final Bytes prefix;
  private final ColumnName column;
  private final BiFunction<String, Bytes, T> decode;
  private final Function<T, Bytes> encode;

  /**
   * Replaced as a whole by every change, so that a thread that read before a change has to read
   * again.
   */
  private final AtomicReference<Map<String, T>> known;

  public SystemRows(
      CellStore store,
      String prefix,
      String qualifier,
      BiFunction<String, Bytes, T> decode,
      Function<T, Bytes> encode) {
    this.store = store;
    this.prefix = Bytes.of(prefix + "/");
    this.column = ColumnName.of(Families.SYSTEM, qualifier);
    this.decode = decode;
    this.encode = encode;
    this.known = new AtomicReference<>(read());
  }

  /** Returns the definitions by name, as this process knows them. */
  public Map<String, T> known() {
    return Objects.requireNonNull(known.get());
  }

  /**
   * Reads all rows again. The rows known afterwards are as stored at the time of the call, or
   * later.
   */
  public void reload() {
    while (true) {
      Map<String, T> before = known();
      if (known.compareAndSet(before, read())) {
        return;
      }
    }
  }

  private Map<String, T> read() {
    Map<String, T> found = new TreeMap<>();
    ScanRequest request =
        ScanRequest.of(Families.SYSTEM_TABLE, KeyRange.prefix(prefix), Selection.column(column));
    try (RowScanner scanner = store.scan(request)) {
      for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
        String name = row.row().key().slice(prefix.length()).toUtf8();
        found.put(name, decode.apply(name, row.cells().get(0).value()));
      }
    }
    return found;
  }

  /** Reads the current definition. */
  public Optional<T> look(String name) {
    Bytes stored = stored(name);
    return stored.isEmpty() ? Optional.empty() : Optional.of(decode.apply(name, stored));
  }

  private Bytes stored(String name) {
    List<Cell> cells = store.read(RowRead.of(row(name), Selection.column(column))).cells();
    return cells.isEmpty() ? Bytes.EMPTY : cells.get(0).value();
  }

  /**
   * Replaces what this process knows of a name, durably.
   *
   * @param next null to remove it
   * @throws StoreException when another process has changed it, or the store did not answer
   */
  public void put(String name, @Nullable T next) {
    put(name, known().get(name), next);
  }

  /**
   * Replaces the definition that a caller knows of a name, durably.
   *
   * @param before null when there was none
   * @param next null to remove it
   * @throws StoreException when another thread or process has changed it, or the store did not
   *     answer
   */
  public void put(String name, @Nullable T before, @Nullable T next) {
    Bytes stored = stored(name);
    T there = stored.isEmpty() ? null : decode.apply(name, stored);
    Bytes wanted = next == null ? Bytes.EMPTY : encode.apply(next);
    Bytes expected = before == null ? Bytes.EMPTY : encode.apply(before);
    Bytes standing = there == null ? Bytes.EMPTY : encode.apply(there);
    // Encoded again: an older version may have encoded it differently.
    if (!standing.equals(expected) && !standing.equals(wanted)) {
      throw changed(name);
    }
    Outcome<Boolean> outcome =
        store.execute(
            ReplaceCell.INSTANCE,
            new ReplaceCell.Request(row(name), column, VERSION, stored, wanted),
            Durability.SYNCED);
    if (!(outcome instanceof Outcome.Done<Boolean> done)) {
      throw new StoreException("The change of " + name + " may not be stored: " + outcome);
    }
    if (!done.result()) {
      throw changed(name);
    }
    publish(name, expected, next);
  }

  /** Publishes a change. A thread that stalled must not replace what others have read since. */
  private void publish(String name, Bytes expected, @Nullable T next) {
    while (true) {
      Map<String, T> before = known();
      T there = before.get(name);
      if (!(there == null ? Bytes.EMPTY : encode.apply(there)).equals(expected)) {
        reload();
        return;
      }
      Map<String, T> changed = new TreeMap<>(before);
      if (next == null) {
        changed.remove(name);
      } else {
        changed.put(name, next);
      }
      if (known.compareAndSet(before, changed)) {
        return;
      }
    }
  }

  private StoreException changed(String name) {
    reload();
    return new StoreException(
        "Another process changes " + name + " at the same time: look at it, then do it again.");
  }

  private Row row(String name) {
    return Row.of(Families.SYSTEM_TABLE, prefix.concat(Bytes.of(name)));
  }
}
