package io.braid.cli;

import io.braid.App;
import io.braid.Braid;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.observers.Observer;

/** A program for a server: each order of a shop is seen. */
public final class WalkApp implements App {
  private static final Column<String> ORDER = Column.of("shop", "order", Codecs.utf8());
  private static final Column<String> SEEN = Column.of("shop", "seen", Codecs.utf8());

  @Override
  public void register(Braid db) {
    db.ensureTable("shop", "shop");
    db.observe(
        Observer.of(
            "shop.see",
            "shop",
            ORDER,
            (tx, row) -> tx.set(row, SEEN, tx.get(row, ORDER).orElse(""))));
  }
}
