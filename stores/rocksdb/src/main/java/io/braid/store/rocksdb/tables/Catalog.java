package io.braid.store.rocksdb.tables;

import io.braid.core.data.Bytes;
import io.braid.core.store.StoreException;
import io.braid.core.store.TableSchema;
import io.braid.core.store.TableSchema.FamilySchema;
import io.braid.core.store.UnknownTableException;
import io.braid.core.store.Veils;
import io.braid.store.rocksdb.engine.Engine;
import io.braid.store.rocksdb.engine.Health;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/**
 * The tables of the store: in memory for the calls, in the default column family for good. Changes
 * are synced before they can be seen, and come one at a time.
 *
 * <p>Column families are created before the record that names them is written, and dropped after it
 * is removed. A column family that a crash leaves in between belongs to no table, and is dropped at
 * the next open. Numbers of tables are never given out again, so that a dropped table does not come
 * back.
 */
public final class Catalog {
  private static final String TABLE_PREFIX = "table/";
  private static final byte[] NEXT_ID = "next-table".getBytes(StandardCharsets.UTF_8);
  private static final byte[] WATERMARK = "watermark".getBytes(StandardCharsets.UTF_8);

  private final Engine engine;
  private final Health health;
  private final PresenceMemory presence = new PresenceMemory();

  /** In the order of their names. */
  private volatile Map<String, Table> tables = Map.of();

  private int nextId = 1;
  private long drops;

  /** The low watermark that calls see. */
  private volatile long watermark;

  /** The low watermark on disk, for a moment ahead of the one that calls see. */
  private long savedWatermark;

  public Catalog(Engine engine, Health health) {
    this.engine = engine;
    this.health = health;
    load();
  }

  private void load() {
    List<TableRecord> records = new ArrayList<>();
    byte[] prefix = TABLE_PREFIX.getBytes(StandardCharsets.UTF_8);
    try (RocksIterator rows = engine.db.newIterator(engine.catalog)) {
      rows.seek(prefix);
      while (rows.isValid() && Bytes.wrap(rows.key()).startsWith(Bytes.wrap(prefix))) {
        records.add(TableRecord.decode(rows.value()));
        rows.next();
      }
      rows.status();
      byte[] next = engine.db.get(engine.catalog, NEXT_ID);
      nextId = next == null ? 1 : (int) Bytes.wrap(next).longAt(0);
      byte[] mark = engine.db.get(engine.catalog, WATERMARK);
      savedWatermark = mark == null ? 0 : Bytes.wrap(mark).longAt(0);
      watermark = savedWatermark;
    } catch (RocksDBException e) {
      throw Engine.failure("The catalog of the store cannot be read.", e);
    }
    Map<Integer, List<FamilySchema>> known = new HashMap<>();
    records.forEach(record -> known.put(record.id(), record.schema().families()));
    engine.dropAllBut(known);
    Map<String, Table> loaded = new TreeMap<>();
    for (TableRecord record : records) {
      Table table = open(record, false);
      table.setVeils(VeilRecords.load(engine, table.id));
      loaded.put(record.schema().name(), table);
    }
    tables = new LinkedHashMap<>(loaded);
  }

  private Table open(TableRecord record, boolean create) {
    List<FamilySchema> schemas = record.schema().families();
    return new Table(record, families(record.id(), schemas, create));
  }

  private List<Family> families(int tableId, List<FamilySchema> schemas, boolean create) {
    List<ColumnFamilyHandle> handles = engine.families(tableId, schemas, create);
    List<Family> families = new ArrayList<>(handles.size());
    for (int i = 0; i < handles.size(); i++) {
      families.add(new Family(schemas.get(i), handles.get(i), presence));
    }
    return families;
  }

  public Table table(String name) {
    Table table = tables.get(name);
    if (table == null) {
      throw new UnknownTableException("There is no table " + name + ": create it first.");
    }
    return table;
  }

  public @Nullable Table find(String name) {
    return tables.get(name);
  }

  /** In the order of their names. */
  public Collection<Table> all() {
    return tables.values();
  }

  /** How many tables were dropped since the store was opened. */
  public synchronized long drops() {
    return drops;
  }

  /**
   * @param drops how many tables had been dropped before the birth was drawn
   * @return false when it was drawn too early
   */
  public synchronized boolean ensure(TableSchema schema, long drops, long birth) {
    Table table = tables.get(schema.name());
    if (table == null && drops == this.drops) {
      create(schema, birth);
    } else if (table != null) {
      merge(table, schema);
    }
    return table != null || drops == this.drops;
  }

  private void merge(Table table, TableSchema schema) {
    TableSchema merged = table.schema().merge(schema);
    if (merged.families().size() == table.schema().families().size()) {
      return;
    }
    List<Family> families = new ArrayList<>(table.families());
    List<FamilySchema> added = new ArrayList<>(merged.families());
    added.removeAll(table.schema().families());
    families.addAll(families(table.id, added, true));
    save(table.record(merged, table.savedEpoch, table.tablets));
    table.setFamilies(families);
  }

  private void create(TableSchema schema, long birth) {
    int id = nextId;
    put(NEXT_ID, Bytes.ofLong(id + 1L).toArray());
    nextId = id + 1;
    TableRecord record = new TableRecord(id, schema, birth, birth, TabletMap.whole());
    Table table = open(record, true);
    save(record);
    Map<String, Table> all = new TreeMap<>(tables);
    all.put(schema.name(), table);
    tables = new LinkedHashMap<>(all);
  }

  /** Removes the table from the catalog; the caller then {@link #erase erases} its data. */
  public synchronized void remove(Table table) {
    checkWritable();
    try {
      engine.db.delete(engine.catalog, engine.synced, key(table.name));
      for (Veils.Veil veil : table.veils().all()) {
        engine.db.delete(engine.catalog, VeilRecords.key(table.id, veil.version()));
      }
    } catch (RocksDBException e) {
      throw failed(e);
    }
    drops++;
    Map<String, Table> all = new TreeMap<>(tables);
    all.remove(table.name);
    tables = new LinkedHashMap<>(all);
  }

  /**
   * Removes the data of a table that was removed from the catalog. To be called alone in the gate,
   * when no call uses its families any more.
   */
  public void erase(Table table) {
    table.families().forEach(family -> family.releaseTo(presence));
    engine.dropColumnFamilies(table.id);
  }

  /** Lets a new tablet begin at a key, unless one does. */
  public void split(String name, Bytes key) {
    cut(table(name), tablets -> tablets.startsAt(key) ? tablets : tablets.split(key));
  }

  /** Replaces the tablets of a table. */
  synchronized void cut(Table table, UnaryOperator<TabletMap> change) {
    TabletMap after = change.apply(table.tablets);
    if (after == table.tablets || tables.get(table.name) != table) {
      return;
    }
    save(table.record(table.schema(), table.savedEpoch, after));
    table.tablets = after;
  }

  /** Saves a higher epoch; the caller makes it count. */
  public synchronized void saveEpoch(Table table, long epoch) {
    if (epoch > table.savedEpoch) {
      save(table.record(table.schema(), epoch, table.tablets));
      table.savedEpoch = epoch;
    }
  }

  /** Saves a veil; the caller makes it count. */
  public synchronized void saveVeil(Table table, Veils.Veil veil) {
    put(VeilRecords.key(table.id, veil.version()), VeilRecords.encode(veil));
  }

  /** Makes a veil count that was saved. To be called alone in the gate. */
  public synchronized void showVeil(Table table, Veils.Veil veil) {
    table.setVeils(table.veils().with(veil));
  }

  public long watermark() {
    return watermark;
  }

  /** Saves a higher low watermark; the caller makes it count. */
  public synchronized void saveWatermark(long timestamp) {
    if (timestamp > savedWatermark) {
      put(WATERMARK, Bytes.ofLong(timestamp).toArray());
      savedWatermark = timestamp;
    }
  }

  /** Shows the low watermark that was saved. To be called alone in the gate. */
  public synchronized void showWatermark() {
    watermark = savedWatermark;
  }

  private void save(TableRecord record) {
    put(key(record.schema().name()), record.encode());
  }

  private void put(byte[] key, byte[] value) {
    checkWritable();
    try {
      engine.db.put(engine.catalog, engine.synced, key, value);
    } catch (RocksDBException e) {
      throw failed(e);
    }
  }

  private void checkWritable() {
    Health.Refusal refusal = health.refusal();
    if (refusal != null) {
      throw new StoreException("The store accepts no writes. " + refusal.reason());
    }
  }

  private StoreException failed(RocksDBException e) {
    health.failed(e);
    return Engine.failure("The catalog of the store cannot be written.", e);
  }

  private static byte[] key(String table) {
    return (TABLE_PREFIX + table).getBytes(StandardCharsets.UTF_8);
  }
}
