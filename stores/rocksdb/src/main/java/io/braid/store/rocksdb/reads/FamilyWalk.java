package io.braid.store.rocksdb.reads;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.runtime.ReadProgress;
import io.braid.core.store.Selection;
import io.braid.core.store.ShownColumns;
import io.braid.core.store.Veils;
import io.braid.store.rocksdb.engine.Engine;
import io.braid.store.rocksdb.engine.Keys;
import io.braid.store.rocksdb.tables.Family;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/**
 * Walks over the cells of one family, row by row, and keeps those that are selected. It steps where
 * the next wanted cell is near and seeks where many unwanted ones lie between: versions above or
 * below what is asked for, other qualifiers.
 */
public final class FamilyWalk {
  /** So many steps are cheaper than a seek. */
  private static final int STEPS = 4;

  /** Memory of a cell beside its value, about. */
  private static final int CELL = 150;

  private final Family family;
  private final RocksIterator iterator;
  private final List<Selection> selections;
  private final int[] taken;
  private final @Nullable Selection newestOfAll;
  private byte @Nullable [] key;
  private byte[] lastQualifier = {};
  private @Nullable ColumnName lastName;
  long seeks;

  private int loaded;

  /**
   * @param iterator positioned by {@link #start}; its upper bound ends the walk
   */
  public FamilyWalk(Family family, RocksIterator iterator, List<Selection> selections) {
    this.family = family;
    this.iterator = iterator;
    this.selections = selections;
    this.taken = new int[selections.size()];
    Selection only = selections.size() == 1 ? selections.get(0) : null;
    this.newestOfAll =
        only != null && only.qualifier() == null && only.maxVersions() == 1 ? only : null;
  }

  /** Begins where the iterator was put. */
  public void start() {
    load();
  }

  /** The key of the current cell; null at the end. */
  public byte @Nullable [] key() {
    return key;
  }

  /** Adds the selected cells of the current row and goes to the next row. */
  public void row(int rowLength, List<Cell> out) {
    byte[] first = key;
    byte[] current = first;
    long gathered = 0;
    while (first != null
        && current != null
        && (current == first || sameStart(current, first, rowLength))) {
      int before = out.size();
      column(current, rowLength, out);
      current = key;
      for (int i = before; i < out.size(); i++) {
        gathered += CELL + out.get(i).value().length();
      }
      if (gathered > ReadProgress.STEP) {
        ReadProgress.add(gathered);
        gathered = 0;
      }
    }
  }

  private void column(byte[] first, int rowLength, List<Cell> out) {
    int columnLength = first.length - Keys.VERSION_BYTES;
    ColumnName name = name(first, rowLength, columnLength);
    if (newestOfAll != null && isPlain(newestOfAll, name, first, columnLength, out)) {
      return;
    }
    Bytes qualifier = name.qualifier();
    if (!select(qualifier)) {
      skipColumns(first, rowLength, qualifier);
      return;
    }
    Veils veils = family.veils;
    if (!veils.isEmpty()) {
      if (isBelow(veils, Keys.version(first, first.length))) {
        skipVersions(first, columnLength);
      } else {
        shown(first, columnLength, name, out);
      }
      return;
    }
    byte[] current = first;
    while (current != null && sameColumn(current, first, columnLength)) {
      long version = Keys.version(current, current.length);
      if (take(version)) {
        out.add(new Cell(name, version, Bytes.wrap(iterator.value())));
      }
      long next = nextWanted(version);
      if (next < 0) {
        skipVersions(first, columnLength);
        return;
      }
      current = goTo(current, version, next);
    }
  }

  /**
   * Reads the newest version of a column if that is simply its first one or, without veils, the
   * first below some version; false when it has to be looked at closely.
   */
  private boolean isPlain(
      Selection selection, ColumnName name, byte[] first, int columnLength, List<Cell> out) {
    Veils veils = family.veils;
    if (veils.isEmpty()) {
      newest(selection, name, first, columnLength, out);
      return true;
    }
    long version = Keys.version(first, first.length);
    long shown = veils.shown(version);
    if (version > selection.maxVersion()
        || shown == Veils.HIDDEN
        || shown > selection.maxVersion()
        || veils.winner(shown, selection.maxVersion(), Long.MAX_VALUE) != 0) {
      return false;
    }
    if (shown >= selection.minVersion()) {
      out.add(new Cell(name, shown, Bytes.wrap(iterator.value())));
    }
    skipVersions(first, columnLength);
    return true;
  }

  /** Whether a column with this newest version has nothing that is as new as is asked for. */
  private boolean isBelow(Veils veils, long version) {
    for (Selection selection : selections) {
      if (selection.minVersion() <= version
          || veils.lowest(selection.minVersion(), selection.maxVersion()) <= version) {
        return false;
      }
    }
    return true;
  }

  /** Reads all of a column, in a table that has veils. */
  private void shown(byte[] first, int columnLength, ColumnName name, List<Cell> out) {
    List<Cell> stored = new ArrayList<>();
    byte[] current = first;
    while (current != null && sameColumn(current, first, columnLength)) {
      long version = Keys.version(current, current.length);
      stored.add(new Cell(name, version, Bytes.wrap(iterator.value())));
      iterator.next();
      current = load();
    }
    Bytes qualifier = name.qualifier();
    List<Selection> wanted =
        selections.stream()
            .filter(each -> each.qualifier() == null || qualifier.equals(each.qualifier()))
            .toList();
    ShownColumns.select(family.veils, stored, wanted, out);
  }

  /** As a column is read when there is one selection, of all columns and one version of each. */
  private void newest(
      Selection selection, ColumnName name, byte[] first, int columnLength, List<Cell> out) {
    byte[] current = first;
    long version = Keys.version(current, current.length);
    if (version > selection.maxVersion()) {
      current = goTo(current, version, selection.maxVersion());
      if (current == null || !sameColumn(current, first, columnLength)) {
        return;
      }
      version = Keys.version(current, current.length);
    }
    if (version >= selection.minVersion()) {
      out.add(new Cell(name, version, Bytes.wrap(iterator.value())));
    }
    skipVersions(first, columnLength);
  }

  /** The column of a key: often the same as in the row before. */
  private ColumnName name(byte[] key, int from, int to) {
    ColumnName last = lastName;
    if (last != null && Arrays.equals(lastQualifier, 0, lastQualifier.length, key, from, to)) {
      return last;
    }
    lastQualifier = Arrays.copyOfRange(key, from, to);
    last = new ColumnName(family.name, Keys.field(lastQualifier, 0, to - from));
    lastName = last;
    return last;
  }

  /** Marks the selections of this qualifier as untouched, others as used up. */
  private boolean select(Bytes qualifier) {
    boolean any = false;
    for (int i = 0; i < taken.length; i++) {
      Bytes wanted = selections.get(i).qualifier();
      boolean selected = wanted == null || wanted.equals(qualifier);
      taken[i] = selected ? 0 : Integer.MAX_VALUE;
      any |= selected;
    }
    return any;
  }

  private boolean take(long version) {
    boolean take = false;
    for (int i = 0; i < taken.length; i++) {
      Selection selection = selections.get(i);
      if (taken[i] < selection.maxVersions()
          && version >= selection.minVersion()
          && version <= selection.maxVersion()) {
        taken[i]++;
        take = true;
      }
    }
    return take;
  }

  /** The highest version below this one that a selection wants; negative when none does. */
  private long nextWanted(long version) {
    long next = -1;
    for (int i = 0; i < taken.length; i++) {
      Selection selection = selections.get(i);
      if (taken[i] < selection.maxVersions() && version > selection.minVersion()) {
        next = Math.max(next, Math.min(version - 1, selection.maxVersion()));
      }
    }
    return next;
  }

  private byte @Nullable [] goTo(byte[] current, long version, long next) {
    if (next == version - 1) {
      iterator.next();
      return load();
    }
    return seek(Keys.withVersion(current, next));
  }

  private void skipVersions(byte[] first, int columnLength) {
    for (int i = 0; i < STEPS; i++) {
      iterator.next();
      byte[] next = load();
      if (next == null || !sameColumn(next, first, columnLength)) {
        return;
      }
    }
    seek(Keys.beyond(first, columnLength));
  }

  /** Goes to the next column that is selected, or beyond the row. */
  private void skipColumns(byte[] first, int rowLength, Bytes qualifier) {
    Bytes next = null;
    for (Selection selection : selections) {
      Bytes wanted = selection.qualifier();
      if (wanted != null
          && wanted.compareTo(qualifier) > 0
          && (next == null || wanted.compareTo(next) < 0)) {
        next = wanted;
      }
    }
    seek(
        next == null
            ? Keys.beyond(first, rowLength)
            : Keys.cell(first, rowLength, next, Long.MAX_VALUE));
  }

  private byte @Nullable [] seek(byte[] target) {
    seeks++;
    iterator.seek(target);
    return load();
  }

  private byte @Nullable [] load() {
    if (++loaded % ReadProgress.CELLS == 0) {
      ReadProgress.add(0);
    }
    key = iterator.isValid() ? iterator.key() : null;
    if (key == null) {
      check(iterator);
    }
    return key;
  }

  /** An iterator that is not valid has come to its end or failed. */
  public static void check(RocksIterator iterator) {
    try {
      iterator.status();
    } catch (RocksDBException e) {
      throw Engine.failure("Cells cannot be read.", e);
    }
  }

  private static boolean sameColumn(byte[] key, byte[] other, int columnLength) {
    return key.length == columnLength + Keys.VERSION_BYTES && sameStart(key, other, columnLength);
  }

  private static boolean sameStart(byte[] key, byte[] other, int length) {
    return key.length >= length && Arrays.equals(key, 0, length, other, 0, length);
  }
}
