package io.braid.testkit;

import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.store.SortedFileWriter;
import io.braid.core.store.StoreException;
import io.braid.testkit.MemoryAccess.Change;
import io.braid.testkit.MemoryTable.Place;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;
import org.jspecify.annotations.Nullable;

/** Writes a file of {@link SortedCells}. */
final class SortedCellsWriter implements SortedFileWriter {
  private final String table;
  private final String family;
  private final Path file;
  private final FileChannel channel;
  private final CRC32C crc = new CRC32C();
  private final OutputStream out;
  private @Nullable Change last;
  private long cells;
  private boolean finished;
  private boolean closed;

  SortedCellsWriter(String table, String family, Path file) {
    this.table = table;
    this.family = family;
    this.file = file;
    try {
      channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    } catch (FileAlreadyExistsException e) {
      throw new StoreException(
          "File " + file + " exists; a sorted file is written to a new one.", e);
    } catch (IOException e) {
      throw failure(e);
    }
    out = new CheckedOutputStream(new BufferedOutputStream(Channels.newOutputStream(channel)), crc);
    write(SortedCells.header(table, family));
  }

  @Override
  public void put(Bytes rowKey, Bytes qualifier, long version, Bytes value) {
    requireOpen();
    if (version < 0) {
      throw new IllegalArgumentException("A version is not negative: " + version + ".");
    }
    Place place = new Place(new ColumnName(family, qualifier), version);
    Change cell = new Change(new Row(table, rowKey), place, value);
    Change before = last;
    if (before != null && SortedCells.ORDER.compare(before, cell) >= 0) {
      throw new IllegalArgumentException(
          "Row "
              + rowKey
              + ", qualifier "
              + qualifier
              + ", version "
              + version
              + " does not sort after the cell before. Sort cells by row, qualifier, and version"
              + " from high to low.");
    }
    write(SortedCells.cell(rowKey, qualifier, version, value));
    last = cell;
    cells++;
  }

  @Override
  public void finish() {
    requireOpen();
    write(SortedCells.trailer(cells));
    write(Bytes.ofLong(crc.getValue()));
    try {
      out.flush();
      channel.force(true);
      channel.close();
    } catch (IOException e) {
      throw failure(e);
    }
    finished = true;
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (finished) {
      return;
    }
    try {
      channel.close();
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw failure(e);
    }
  }

  private void requireOpen() {
    if (finished || closed) {
      throw new IllegalStateException("The sorted file " + file + " is finished or closed.");
    }
  }

  private void write(Bytes bytes) {
    try {
      out.write(bytes.toArray());
    } catch (IOException e) {
      throw failure(e);
    }
  }

  private StoreException failure(IOException e) {
    return new StoreException("Sorted file " + file + " cannot be written.", e);
  }
}
