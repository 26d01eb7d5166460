package io.braid.percolator.rows;

import io.braid.core.cells.DecisionPoint;
import io.braid.core.cells.DecisionPoint.PrimaryCell;
import io.braid.core.data.Decoder;

/** The decision points of this protocol: only primary cells. */
final class Primaries {
  private Primaries() {}

  static PrimaryCell decode(Decoder from) {
    DecisionPoint point = DecisionPoint.decode(from);
    if (point instanceof PrimaryCell primary) {
      return primary;
    }
    throw new IllegalArgumentException("Not a primary cell: " + point + ".");
  }
}
