package io.braid.store.hbase;

import io.braid.core.data.Bytes;
import io.braid.core.store.SortedFileWriter;
import io.braid.core.store.StoreException;
import io.braid.store.hbase.wire.HBaseNames;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.jspecify.annotations.Nullable;

/** Writes an HFile and, when it is finished, its seal. */
final class HFileWriter implements SortedFileWriter {
  private record Place(Bytes row, Bytes qualifier, long version) {
    boolean before(Place other) {
      int order = row.compareTo(other.row);
      if (order == 0) {
        order = qualifier.compareTo(other.qualifier);
      }
      return order < 0 || (order == 0 && version > other.version);
    }
  }

  private final String table;
  private final String family;
  private final byte[] familyName;
  private final Path file;
  private final StoreFileWriter writer;
  private @Nullable Place last;
  private long cells;
  private long maxVersion;
  private boolean written;
  private boolean closed;

  HFileWriter(String table, String family, Path file) {
    this.table = table;
    this.family = family;
    this.familyName = family.getBytes(StandardCharsets.UTF_8);
    this.file = file;
    if (Files.exists(file) || Files.exists(FileSeal.path(file))) {
      throw new StoreException("The file " + file + " exists. Give another name.");
    }
    try {
      writer = open(file);
    } catch (IOException e) {
      throw new StoreException("The sorted file " + file + " cannot be written.", e);
    }
  }

  private static StoreFileWriter open(Path file) throws IOException {
    return open(new Configuration(false), local(), new org.apache.hadoop.fs.Path(file.toUri()));
  }

  static FileSystem local() throws IOException {
    RawLocalFileSystem local = new RawLocalFileSystem();
    local.initialize(URI.create("file:///"), new Configuration(false));
    return local;
  }

  static StoreFileWriter open(
      Configuration configuration, FileSystem system, org.apache.hadoop.fs.Path path)
      throws IOException {
    HFileContext context = new HFileContextBuilder().withIncludesMvcc(false).build();
    return new StoreFileWriter.Builder(configuration, new CacheConfig(configuration), system)
        .withFilePath(path)
        .withBloomType(BloomType.ROW)
        .withFileContext(context)
        .build();
  }

  static void finish(StoreFileWriter writer) throws IOException {
    byte[] now = org.apache.hadoop.hbase.util.Bytes.toBytes(System.currentTimeMillis());
    writer.appendFileInfo(HStoreFile.BULKLOAD_TIME_KEY, now);
    writer.close();
  }

  @Override
  public void put(Bytes rowKey, Bytes qualifier, long version, Bytes value) {
    usable();
    if (version < 0 || version > HBaseNames.MAX_VERSION) {
      throw new IllegalArgumentException(
          "A version lies between 0 and " + HBaseNames.MAX_VERSION + ": " + version + ".");
    }
    Place place = new Place(rowKey, qualifier, version);
    if (last != null && !last.before(place)) {
      throw new IllegalArgumentException(
          "Cells come in order, each once; this one does not: " + place + ".");
    }
    try {
      writer.append(
          new KeyValue(
              HBaseNames.key(rowKey),
              familyName,
              HBaseNames.key(qualifier),
              version,
              value.toArray()));
    } catch (IOException e) {
      throw new StoreException("The sorted file " + file + " cannot be written.", e);
    }
    last = place;
    cells++;
    maxVersion = Math.max(maxVersion, version);
  }

  @Override
  public void finish() {
    usable();
    try {
      finish(writer);
      FileSeal.seal(file, table, family, cells, maxVersion);
    } catch (IOException e) {
      throw new StoreException("The sorted file " + file + " cannot be finished.", e);
    }
    written = true;
  }

  private void usable() {
    if (written || closed) {
      throw new IllegalStateException("The sorted file " + file + " is finished or closed.");
    }
  }

  @Override
  public void close() {
    if (closed || written) {
      closed = true;
      return;
    }
    closed = true;
    try {
      writer.close();
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new StoreException("The file " + file + " cannot be removed.", e);
    }
  }
}
