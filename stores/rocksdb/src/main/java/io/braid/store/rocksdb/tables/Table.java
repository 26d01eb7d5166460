package io.braid.store.rocksdb.tables;

import io.braid.core.store.TableReplacedException;
import io.braid.core.store.TableSchema;
import io.braid.core.store.Tablet;
import io.braid.core.store.UnknownTableException;
import io.braid.core.store.Veils;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;

/** A table while the store is open. */
public final class Table {
  public final String name;
  public final int id;

  /** 0 when it is not known. */
  public final long birth;

  /** Bytes written since the sizes of the tablets were last looked at. */
  public final LongAdder written = new LongAdder();

  /** In the order of their names. */
  private volatile Map<String, Family> families;

  /** The epoch that calls see. */
  public volatile long epoch;

  /** The epoch on disk, for a moment ahead of the one that calls see; guarded by the catalog. */
  long savedEpoch;

  volatile TabletMap tablets;

  private volatile Veils veils = Veils.NONE;

  /** The rows that batches have written; null when they are not requested. */
  public volatile @Nullable WrittenRows writtenRows;

  /** Until when the table says that it is closing; 0 when it does not. */
  private volatile long closingUntil;

  Table(TableRecord record, List<Family> families) {
    this.name = record.schema().name();
    this.id = record.id();
    this.birth = record.birth();
    this.families = byName(families);
    this.epoch = record.epoch();
    this.savedEpoch = epoch;
    this.tablets = record.tablets();
  }

  /** Returns the record as it is to be saved. */
  TableRecord record(TableSchema schema, long savedEpoch, TabletMap tablets) {
    return new TableRecord(id, schema, birth, savedEpoch, tablets);
  }

  public void checkSnapshot(long snapshot) {
    TableReplacedException.check(name, birth, snapshot);
  }

  public Family family(String family) {
    Family found = families.get(family);
    if (found == null) {
      throw new UnknownTableException(
          "Table " + name + " has no family " + family + ": create it first.");
    }
    return found;
  }

  public boolean has(String family) {
    return families.containsKey(family);
  }

  /** In the order of their names. */
  public Collection<Family> families() {
    return families.values();
  }

  void setFamilies(List<Family> all) {
    all.forEach(family -> family.veils = veils);
    families = byName(all);
  }

  public void close(long nanos) {
    long until = System.nanoTime() + nanos;
    closingUntil = nanos == 0 ? 0 : until == 0 ? 1 : until;
  }

  public boolean isClosing() {
    long until = closingUntil;
    return until != 0 && System.nanoTime() - until < 0;
  }

  public Veils veils() {
    return veils;
  }

  /** Sets the veils. To be called alone in the gate, or before any other caller has the table. */
  void setVeils(Veils all) {
    veils = all;
    families().forEach(family -> family.veils = all);
  }

  private static Map<String, Family> byName(List<Family> families) {
    Map<String, Family> byName = new LinkedHashMap<>();
    families.stream()
        .sorted(Comparator.comparing(family -> family.name))
        .forEach(family -> byName.put(family.name, family));
    return byName;
  }

  /** The column families of all its families. */
  public List<ColumnFamilyHandle> handles() {
    return families().stream().map(family -> family.handle).toList();
  }

  /** The tablets as callers of the store see them. */
  public List<Tablet> tablets() {
    return tablets.tablets(name, id);
  }

  public TableSchema schema() {
    return new TableSchema(name, families().stream().map(Family::schema).toList());
  }
}
