package io.braid.observers;

import io.braid.core.data.KeyRange;
import io.braid.core.store.CellStore;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.UnknownTableException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The rows of a range, some at a time, so that no scan stays open while they are dealt with. */
final class RowPages {
  static final int PAGE_ROWS = 256;

  private final CellStore store;
  private final String table;
  private final List<Selection> selections;
  private final KeyRange range;

  RowPages(CellStore store, String table, KeyRange range, List<Selection> selections) {
    this.store = store;
    this.table = table;
    this.range = range;
    this.selections = selections;
  }

  /** All rows, one after another; none where there is no such table or family. */
  void forEach(Consumer<RowCells> action) {
    KeyRange rest = range;
    while (!rest.isEmpty()) {
      List<RowCells> page = next(rest);
      page.forEach(action);
      if (page.size() < PAGE_ROWS) {
        return;
      }
      rest = new KeyRange(page.get(page.size() - 1).row().key().successor(), range.end());
    }
  }

  /** The first rows: fewer than {@link #PAGE_ROWS} when there are no more. */
  List<RowCells> first() {
    return next(range);
  }

  private List<RowCells> next(KeyRange rest) {
    ScanRequest request = new ScanRequest(table, rest, selections, 0, PAGE_ROWS);
    List<RowCells> page = new ArrayList<>(PAGE_ROWS);
    try (RowScanner rows = store.scan(request)) {
      RowCells row = rows.next();
      while (row != null) {
        page.add(row);
        row = page.size() < PAGE_ROWS ? rows.next() : null;
      }
    } catch (UnknownTableException e) {
      return List.of();
    }
    return page;
  }
}
