package io.braid.store.rocksdb.engine;

import io.braid.core.data.Bytes;
import io.braid.core.data.KeyRange;
import io.braid.core.runtime.UninterruptedWork;
import io.braid.core.store.StoreException;
import io.braid.core.store.TableSchema.FamilySchema;
import io.braid.core.store.TableSchema.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.LogFile;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Statistics;
import org.rocksdb.TickerType;
import org.rocksdb.WALRecoveryMode;
import org.rocksdb.WriteOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The opened RocksDB with everything native around it.
 *
 * <p>The column family of a family is named after the number of its table, the letter of its kind,
 * and its name, as {@code 3.S.~intent}: the kind must be known before anything can be read.
 */
public final class Engine implements AutoCloseable {
  static {
    ErrorReasons.complete();
    NativeLibrary.load();
  }

  private static final Logger LOG = LoggerFactory.getLogger(Engine.class);

  public final RocksDB db;
  public final ColumnFamilyHandle catalog;
  public final WriteOptions buffered = new WriteOptions();
  public final WriteOptions synced = new WriteOptions().setSync(true);
  final Tuning tuning;

  public final WriteCount writes = new WriteCount();
  public final LongAdder logSyncs = new LongAdder();

  private final Map<String, ColumnFamilyHandle> families;

  private Engine(RocksDB db, Tuning tuning, Map<String, ColumnFamilyHandle> families) {
    this.db = db;
    this.tuning = tuning;
    this.families = families;
    this.catalog = db.getDefaultColumnFamily();
  }

  /**
   * @param memoryBytes what the block cache and the write buffers may take together
   * @param statistics whether RocksDB counts what it does
   */
  public static Engine open(Path directory, long memoryBytes, boolean statistics) {
    Library.check();
    Tuning tuning = new Tuning(memoryBytes, statistics);
    try {
      Files.createDirectories(directory);
      UninterruptedWork.againStep(() -> LogCheck.check(directory));
      return open(directory.toString(), tuning);
    } catch (RocksDBException | IOException e) {
      tuning.close();
      throw new StoreException(
          "The data in "
              + directory
              + " cannot be opened: "
              + e.getMessage()
              + whatToDo(directory, e),
          e);
    } catch (RuntimeException e) {
      tuning.close();
      throw e;
    }
  }

  private static String whatToDo(Path directory, Exception e) {
    return Health.saysFull(String.valueOf(e.getMessage()))
        ? ". The disk is full: make room, "
            + StoreDirectory.mebibytes(StoreDirectory.roomToOpen(directory))
            + " MiB at least, as much as its log holds, and open it again. Nothing is damaged."
        : ". If it is damaged, restore it from a backup.";
  }

  private static Engine open(String path, Tuning tuning) throws RocksDBException {
    List<ColumnFamilyDescriptor> descriptors = new ArrayList<>();
    List<String> names = columnFamilies(path);
    for (String name : names) {
      descriptors.add(new ColumnFamilyDescriptor(bytes(name), optionsOf(name, tuning)));
    }
    List<ColumnFamilyHandle> handles = new ArrayList<>();
    RocksDB db;
    try {
      db =
          RocksDB.open(
              tuning.database(WALRecoveryMode.AbsoluteConsistency), path, descriptors, handles);
    } finally {
      release(descriptors);
    }
    Map<String, ColumnFamilyHandle> families = new ConcurrentSkipListMap<>();
    for (int i = 0; i < names.size(); i++) {
      families.put(names.get(i), handles.get(i));
    }
    return new Engine(db, tuning, families);
  }

  private static List<String> columnFamilies(String path) throws RocksDBException {
    List<String> names = new ArrayList<>();
    try (Options options = new Options()) {
      for (byte[] name : RocksDB.listColumnFamilies(options, path)) {
        names.add(new String(name, StandardCharsets.UTF_8));
      }
    }
    if (names.isEmpty()) {
      names.add(defaultName());
    }
    return names;
  }

  private static ColumnFamilyOptions optionsOf(String name, Tuning tuning) {
    if (name.equals(defaultName())) {
      return tuning.catalog();
    }
    return tuning.family(KindLetters.kind(name.charAt(name.indexOf('.') + 1)));
  }

  /**
   * The column families of a table, in the order of the schemas.
   *
   * @param create whether those that are missing are created; otherwise they are damage
   */
  public List<ColumnFamilyHandle> families(
      int tableId, List<FamilySchema> schemas, boolean create) {
    List<FamilySchema> missing = new ArrayList<>();
    for (FamilySchema schema : schemas) {
      if (!families.containsKey(name(tableId, schema.name(), schema.kind()))) {
        missing.add(schema);
      }
    }
    if (!missing.isEmpty()) {
      if (!create) {
        throw new StoreException(
            "The data of families "
                + missing
                + " is missing. The store is damaged: restore it from a backup.");
      }
      create(tableId, missing);
    }
    List<ColumnFamilyHandle> found = new ArrayList<>(schemas.size());
    for (FamilySchema schema : schemas) {
      String name = name(tableId, schema.name(), schema.kind());
      found.add(Objects.requireNonNull(families.get(name)));
    }
    return found;
  }

  private void create(int tableId, List<FamilySchema> missing) {
    List<String> names = new ArrayList<>();
    List<ColumnFamilyDescriptor> descriptors = new ArrayList<>();
    for (FamilySchema schema : missing) {
      String name = name(tableId, schema.name(), schema.kind());
      names.add(name);
      descriptors.add(new ColumnFamilyDescriptor(bytes(name), tuning.family(schema.kind())));
    }
    try {
      List<ColumnFamilyHandle> handles = db.createColumnFamilies(descriptors);
      for (int i = 0; i < names.size(); i++) {
        families.put(names.get(i), handles.get(i));
      }
    } catch (RocksDBException e) {
      throw failure("Column families cannot be created.", e);
    } finally {
      release(descriptors);
    }
  }

  /**
   * Closes the options, of which RocksDB has taken copies. If they were kept until the end, they
   * would grow with each table.
   */
  private static void release(List<ColumnFamilyDescriptor> descriptors) {
    descriptors.forEach(descriptor -> descriptor.getOptions().close());
  }

  /** Drops the column families of a table, when no call uses them any more. */
  public void dropColumnFamilies(int tableId) {
    String prefix = tableId + ".";
    drop(families.keySet().stream().filter(name -> name.startsWith(prefix)).toList());
  }

  /**
   * Drops what a crash left behind: column families of no table in the catalog.
   *
   * @param tables the families of the tables in the catalog, by the numbers of the tables
   */
  public void dropAllBut(Map<Integer, List<FamilySchema>> tables) {
    Set<String> known = new HashSet<>();
    known.add(defaultName());
    tables.forEach(
        (id, schemas) ->
            schemas.forEach(schema -> known.add(name(id, schema.name(), schema.kind()))));
    drop(families.keySet().stream().filter(name -> !known.contains(name)).toList());
  }

  /** All in one step: RocksDB writes the options of all families with each. */
  private void drop(List<String> names) {
    if (names.isEmpty()) {
      return;
    }
    List<ColumnFamilyHandle> handles = new ArrayList<>();
    names.forEach(name -> handles.add(Objects.requireNonNull(families.get(name))));
    try {
      db.dropColumnFamilies(handles);
    } catch (RocksDBException e) {
      throw failure("Column families cannot be dropped.", e);
    }
    names.forEach(families::remove);
    // Not only closed: the database has a list of its handles.
    handles.forEach(db::destroyColumnFamilyHandle);
  }

  /** Writes what is in memory into sorted files. */
  public void flush() {
    flush(List.copyOf(families.values()));
  }

  /** Writes what these column families have in memory into sorted files. */
  public void flush(List<ColumnFamilyHandle> handles) {
    try (FlushOptions options = new FlushOptions().setWaitForFlush(true)) {
      db.flush(options, handles);
    } catch (RocksDBException e) {
      throw failure("The store cannot be flushed.", e);
    }
  }

  /** How often the log was synced: as RocksDB counts, if it does. */
  public long logSyncs() {
    Statistics counted = tuning.statistics();
    return counted == null ? logSyncs.sum() : counted.getTickerCount(TickerType.WAL_FILE_SYNCED);
  }

  /** Whether compactions keep up, so that files may be taken over. */
  public boolean hasRoomForFiles(ColumnFamilyHandle handle) {
    try {
      return Integer.parseInt(db.getProperty(handle, "rocksdb.num-files-at-level0"))
              < Tuning.INGEST_MOST_LEVEL0
          && db.getLongProperty(handle, "rocksdb.estimate-pending-compaction-bytes")
              < Tuning.INGEST_MOST_DEBT;
    } catch (RocksDBException e) {
      throw failure("How far compactions are behind cannot be read.", e);
    }
  }

  /** Makes everything durable that was written until now. */
  public void sync() {
    try {
      logSyncs.increment();
      db.syncWal();
    } catch (RocksDBException e) {
      throw failure("The log of the store cannot be synced.", e);
    }
  }

  public static StoreException failure(String what, RocksDBException e) {
    return new StoreException(what + " RocksDB says: " + e.getMessage() + ".", e);
  }

  private static String name(int tableId, String family, Kind kind) {
    return tableId + "." + KindLetters.letter(kind) + "." + family;
  }

  private static String defaultName() {
    return new String(RocksDB.DEFAULT_COLUMN_FAMILY, StandardCharsets.UTF_8);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Writes what is in memory into sorted files and these into their last places. */
  public void compact() {
    try {
      for (ColumnFamilyHandle handle : List.copyOf(families.values())) {
        db.compactRange(handle);
      }
    } catch (RocksDBException e) {
      throw failure("The store cannot be compacted.", e);
    }
  }

  /** Rewrites a range of rows in column families, so that nothing is left of what was removed. */
  public void compact(List<ColumnFamilyHandle> handles, KeyRange range) {
    byte[] begin = range.start().isEmpty() ? null : Keys.row(range.start());
    Bytes last = range.end();
    byte[] end = last == null ? null : Keys.row(last);
    try {
      for (ColumnFamilyHandle handle : handles) {
        db.compactRange(handle, begin, end);
      }
    } catch (RocksDBException e) {
      throw failure("The range cannot be compacted.", e);
    }
  }

  /** The length of the log. */
  public long logBytes() {
    try {
      return db.getSortedWalFiles().stream().mapToLong(LogFile::sizeFileBytes).sum();
    } catch (RocksDBException e) {
      throw failure("The log cannot be listed.", e);
    }
  }

  /**
   * Another process owns the files: nothing is written or removed any more. Not closed, since that
   * removes what this one does not know of; the process keeps it to its end.
   */
  public void disown() {
    try {
      db.disableFileDeletions();
    } catch (RocksDBException e) {
      LOG.warn("Deletions of files could not be stopped.", e);
    }
    db.cancelAllBackgroundWork(false);
  }

  /** Closes the store, when no call uses it any more. */
  @Override
  public void close() {
    families.values().forEach(ColumnFamilyHandle::close);
    db.close();
    buffered.close();
    synced.close();
    tuning.close();
  }
}
