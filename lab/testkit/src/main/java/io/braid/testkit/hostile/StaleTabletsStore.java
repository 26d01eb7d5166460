package io.braid.testkit.hostile;

import io.braid.core.data.Bytes;
import io.braid.core.store.CellStore;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.Tablet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Answers with the oldest list of a table's tablets that it knows. */
public final class StaleTabletsStore extends ForwardingStore {
  private final Strike strike;
  private final Map<String, List<Tablet>> oldest = new ConcurrentHashMap<>();

  public StaleTabletsStore(CellStore store, Strike strike) {
    super(store);
    this.strike = strike;
  }

  @Override
  public List<Tablet> tablets(String table) {
    List<Tablet> now = super.tablets(table);
    List<Tablet> old = oldest.computeIfAbsent(table, name -> now);
    return strike.strikes(Strike.TABLETS) ? old : now;
  }

  @Override
  public void splitTablet(String table, Bytes key) {
    List<Tablet> before = super.tablets(table);
    oldest.putIfAbsent(table, before);
    super.splitTablet(table, key);
  }

  @Override
  public void dropTable(String name) {
    super.dropTable(name);
    oldest.remove(name);
  }
}
