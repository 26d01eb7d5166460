package io.braid.store.rocksdb;

import io.braid.core.data.Bytes;
import io.braid.core.store.SortedFileWriter;
import io.braid.core.store.StoreException;
import io.braid.core.store.TableSchema.FamilySchema;
import io.braid.store.rocksdb.engine.Engine;
import io.braid.store.rocksdb.engine.Keys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.rocksdb.EnvOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileWriter;

/**
 * Writes a sorted file of RocksDB and, when it is finished, its seal. It needs the store only when
 * it is made: files may be written while the store is closed.
 */
final class SortedFile implements SortedFileWriter {
  private final String table;
  private final FamilySchema family;
  private final Path file;
  private final Options options;
  private final EnvOptions environment = new EnvOptions();
  private final SstFileWriter writer;
  private byte[] last = new byte[0];
  private long cells;
  private long minVersion = Long.MAX_VALUE;
  private long maxVersion;
  private boolean finished;
  private boolean closed;

  /**
   * @param options taken over
   */
  SortedFile(String table, FamilySchema family, Path file, Options options) {
    this.table = table;
    this.family = family;
    this.file = file;
    this.options = options;
    this.writer = new SstFileWriter(environment, options);
    try {
      if (Files.exists(file) || Files.exists(FileSeal.path(file))) {
        throw new StoreException("The file " + file + " exists. Give another name.");
      }
      writer.open(file.toString());
    } catch (RocksDBException e) {
      release();
      throw Engine.failure("The sorted file " + file + " cannot be written.", e);
    } catch (StoreException e) {
      release();
      throw e;
    }
  }

  @Override
  public void put(Bytes rowKey, Bytes qualifier, long version, Bytes value) {
    usable();
    if (version < 0) {
      throw new IllegalArgumentException("A version is not negative: " + version + ".");
    }
    byte[] key = Keys.cell(rowKey, qualifier, version);
    if (Arrays.compareUnsigned(last, key) >= 0) {
      throw new IllegalArgumentException(
          "Cells come in order, each once; this one does not: "
              + rowKey
              + " "
              + qualifier
              + " "
              + version
              + ".");
    }
    try {
      writer.put(key, value.toArray());
    } catch (RocksDBException e) {
      throw Engine.failure("The sorted file " + file + " cannot be written.", e);
    }
    last = key;
    cells++;
    minVersion = Math.min(minVersion, version);
    maxVersion = Math.max(maxVersion, version);
  }

  @Override
  public void finish() {
    usable();
    try {
      if (cells > 0) {
        writer.finish();
      } else {
        Files.deleteIfExists(file);
        Files.createFile(file);
      }
      long length = Files.size(file);
      long checksum = FileSeal.checksum(file);
      long lowest = Math.min(minVersion, maxVersion);
      new FileSeal(table, family.name(), cells, lowest, maxVersion, length, checksum).write(file);
    } catch (RocksDBException e) {
      throw Engine.failure("The sorted file " + file + " cannot be finished.", e);
    } catch (IOException e) {
      throw new StoreException("The sorted file " + file + " cannot be finished.", e);
    }
    finished = true;
  }

  private void usable() {
    if (finished || closed) {
      throw new IllegalStateException("The sorted file " + file + " is finished or closed.");
    }
  }

  private void release() {
    writer.close();
    environment.close();
    options.close();
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    release();
    if (!finished) {
      try {
        Files.deleteIfExists(file);
        Files.deleteIfExists(FileSeal.path(file));
      } catch (IOException e) {
        throw new StoreException("The file " + file + " cannot be removed.", e);
      }
    }
  }
}
