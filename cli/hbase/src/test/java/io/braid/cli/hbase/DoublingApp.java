package io.braid.cli.hbase;

import io.braid.App;
import io.braid.Braid;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.observers.Observer;

/** A program for workers: writes the double of each number beside it. */
public final class DoublingApp implements App {
  static final String TABLE = "numbers";
  static final Column<Long> NUMBER = Column.of("n", "number", Codecs.int64());
  static final Column<Long> DOUBLE = Column.of("n", "double", Codecs.int64());

  @Override
  public void register(Braid db) {
    db.ensureTable(TABLE, "n");
    db.observe(
        Observer.of(
            "double",
            TABLE,
            NUMBER,
            (tx, row) -> tx.set(row, DOUBLE, 2 * tx.get(row, NUMBER).orElse(0L))));
  }
}
