package io.braid.batch.engine;

import io.braid.core.data.KeyRange;
import io.braid.core.store.CellStore;
import io.braid.core.store.Tablet;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a range of a table into parts, one for each task, with equal numbers of tablets. Parts are
 * ranges of keys, so they stay the same when tablets split between two attempts.
 */
public final class TableParts {
  private TableParts() {}

  /**
   * A part.
   *
   * @param server where its first tablet is, as the store names it
   */
  public record Part(KeyRange range, String server) {}

  /**
   * Cuts.
   *
   * @param most how many parts at most
   */
  public static List<Part> of(CellStore store, String table, KeyRange range, int most) {
    List<Part> pieces = new ArrayList<>();
    for (Tablet tablet : store.tablets(table)) {
      KeyRange piece = tablet.range().intersect(range);
      if (!piece.isEmpty()) {
        pieces.add(new Part(piece, tablet.server()));
      }
    }
    int parts = Math.min(Math.max(1, most), pieces.size());
    List<Part> joined = new ArrayList<>(parts);
    for (int i = 0; i < parts; i++) {
      Part first = pieces.get(pieces.size() * i / parts);
      Part last = pieces.get(pieces.size() * (i + 1) / parts - 1);
      joined.add(new Part(new KeyRange(first.range.start(), last.range.end()), first.server));
    }
    return joined;
  }
}
