package io.braid.percolator.garbage;

import io.braid.core.data.Bytes;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.KeyRange;

/** The row before which an interrupted collection through all tables continues. */
record Position(String table, Bytes key) {
  static final Position BEGIN = new Position("", Bytes.EMPTY);

  /** Whether a tablet lies wholly before. */
  boolean isBeyond(String other, KeyRange range) {
    Bytes end = range.end();
    int order = other.compareTo(table);
    return order < 0 || (order == 0 && end != null && end.compareTo(key) <= 0);
  }

  Bytes encode() {
    return new Encoder().text(table).bytes(key).finish();
  }

  static Position decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    return new Position(from.text(), from.bytes());
  }
}
