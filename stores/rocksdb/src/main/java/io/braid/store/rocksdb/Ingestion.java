package io.braid.store.rocksdb;

import io.braid.core.data.Bytes;
import io.braid.core.store.StoreException;
import io.braid.store.rocksdb.engine.Engine;
import io.braid.store.rocksdb.engine.Keys;
import io.braid.store.rocksdb.reads.CellReads;
import io.braid.store.rocksdb.tables.Family;
import io.braid.store.rocksdb.tables.PresenceFilter;
import io.braid.store.rocksdb.tables.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.rocksdb.IngestExternalFileOptions;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileReader;
import org.rocksdb.SstFileReaderIterator;

/**
 * Takes sorted files over: checks all of them, then moves them in together.
 *
 * <p>No reader sees cells under a veil, so such cells change nothing that any caller knows or
 * reads. Files with only such cells come in beside all calls. Other files need to come in alone.
 *
 * <p>Files that are moved in are durable at once. So the log is synced first: if the files are
 * there after a crash of the machine, everything written before them is there, too.
 *
 * <p>Between the steps the table may be dropped, or the database opened again after a trouble with
 * the disk. Either takes the native objects away. So each step looks the table up again.
 */
final class Ingestion {
  private final int tableId;
  private final String tableName;
  private final String familyName;
  private final List<Path> files;
  private final List<FileSeal> seals = new ArrayList<>();

  Ingestion(Table table, Family family, List<Path> files) {
    this.tableId = table.id;
    this.tableName = table.name;
    this.familyName = family.name;
    this.files = List.copyOf(files);
  }

  private Table table(Database database) {
    Table now = database.catalog.find(tableName);
    if (now == null || now.id != tableId) {
      throw new StoreException("Table " + tableName + " was dropped meanwhile.");
    }
    return now;
  }

  /** Refuses the files before anything changes. */
  void verify() {
    if (new HashSet<>(files).size() != files.size()) {
      throw new StoreException("A sorted file is named twice: " + files + ".");
    }
    for (Path file : files) {
      FileSeal seal = FileSeal.verified(file);
      if (!seal.table().equals(tableName) || !seal.family().equals(familyName)) {
        throw new StoreException(
            "The sorted file "
                + file
                + " is for family "
                + seal.family()
                + " of table "
                + seal.table()
                + ", not for "
                + familyName
                + " of "
                + tableName
                + ".");
      }
      seals.add(seal);
    }
  }

  long maxVersion() {
    return seals.stream().mapToLong(FileSeal::maxVersion).max().orElse(0);
  }

  /**
   * Returns whether no reader can see any cell of the files. Sparse families are counted where
   * their cells are, so their cells are never hidden in this sense.
   */
  boolean isHidden(Database database) {
    Table table = table(database);
    return table.family(familyName).filter == null
        && seals.stream()
            .filter(seal -> seal.cells() > 0)
            .allMatch(
                seal ->
                    seal.minVersion() == seal.maxVersion()
                        && table.veils().hides(seal.minVersion()));
  }

  /** Writes out what the family has in memory, so that it need not be done when alone. */
  void prepare(Database database) {
    database.engine.flush(List.of(table(database).family(familyName).handle));
  }

  /** Moves the files in. To be called alone in the gate. */
  void move(Database database) {
    if (moveHidden(database)) {
      table(database).writtenRows = null;
      database.forgetNewest();
    }
  }

  /**
   * Moves in files of which no reader can see anything. No veil of the table may be lifted
   * meanwhile.
   *
   * @return whether the files contained any cells
   */
  boolean moveHidden(Database database) {
    Table table = table(database);
    Family family = table.family(familyName);
    List<String> paths = new ArrayList<>();
    for (int i = 0; i < files.size(); i++) {
      if (seals.get(i).cells() > 0) {
        paths.add(files.get(i).toString());
        table.written.add(seals.get(i).length());
      }
    }
    if (paths.isEmpty()) {
      return false;
    }
    count(family, paths, database.cells);
    database.engine.sync();
    ingest(database.engine, family, paths);
    return true;
  }

  private static void ingest(Engine engine, Family family, List<String> paths) {
    try (IngestExternalFileOptions options =
        new IngestExternalFileOptions().setMoveFiles(true).setWriteGlobalSeqno(false)) {
      engine.db.ingestExternalFile(family.handle, paths, options);
    } catch (RocksDBException e) {
      throw Engine.failure("The sorted files cannot be taken over: " + paths + ".", e);
    }
  }

  /** Counts new cells of a sparse family before they can be seen. */
  private static void count(Family family, List<String> paths, CellReads cells) {
    PresenceFilter filter = family.filter;
    if (filter == null) {
      return;
    }
    Set<Bytes> counted = new HashSet<>();
    for (String path : paths) {
      try (Options options = new Options();
          ReadOptions reading = new ReadOptions();
          SstFileReader reader = new SstFileReader(options)) {
        reader.open(path);
        try (SstFileReaderIterator keys = reader.newIterator(reading)) {
          for (keys.seekToFirst(); keys.isValid(); keys.next()) {
            byte[] key = keys.key();
            filter.forget(Bytes.wrap(key));
            if (counted.add(Bytes.wrap(key)) && cells.get(family, key) == null) {
              filter.up(Keys.field(key, 0, Keys.fieldEnd(key, 0)));
            }
          }
          keys.status();
        }
      } catch (RocksDBException e) {
        throw Engine.failure("The sorted file " + path + " cannot be read.", e);
      }
    }
  }

  /** Removes what is left of the files outside. */
  void cleanUp() {
    try {
      for (Path file : files) {
        Files.deleteIfExists(file);
        Files.deleteIfExists(FileSeal.path(file));
      }
    } catch (IOException e) {
      throw new StoreException("What is left of the sorted files cannot be removed.", e);
    }
  }
}
