package io.braid.batch.snapshot;

import io.braid.batch.JobException;
import io.braid.core.data.Bytes;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.runtime.DurableFiles;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.zip.CRC32C;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Files of snapshots, as {@code docs/formats/snapshots.md} says: magic, whether sorted, the table,
 * records, their count and a checksum over them. A damaged file is refused before any of it is
 * imported (fault 46): the records of a file count only when its end was read.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class SnapshotFile {
  private static final int MAGIC = 0x42525331; // BRS1
  private static final int BUFFER = 1 << 16;
  private static final int END = 0;
  private static final int LONGEST = 1 << 28;

  private SnapshotFile() {}

  /** Writes a file completely or not at all: the file has its name only when it is on the disk. */
  static long write(Path file, String table, boolean sorted, List<SnapshotRecord> records)
      throws IOException {
    return write(file, table, sorted, records.iterator());
  }

  /**
   * Writes records that are in order, as {@link SnapshotRecord#ORDER} says.
   *
   * @param records may throw {@link UncheckedIOException}
   */
  public static long write(Path file, String table, Iterator<SnapshotRecord> records)
      throws IOException {
    try {
      return write(file, table, true, records);
    } catch (UncheckedIOException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static long write(
      Path file, String table, boolean sorted, Iterator<SnapshotRecord> records)
      throws IOException {
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    try (FileOutputStream raw = new FileOutputStream(fresh.toFile())) {
      CRC32C crc = new CRC32C();
      DataOutputStream out = new DataOutputStream(new BufferedOutputStream(raw, BUFFER));
      out.writeInt(MAGIC);
      out.writeBoolean(sorted);
      write(out, crc, new Encoder(16).text(table).finish());
      int count = 0;
      while (records.hasNext()) {
        write(out, crc, records.next().encode());
        count++;
      }
      out.writeInt(END);
      out.writeInt(count);
      out.writeLong(crc.getValue());
      out.flush();
      raw.getFD().sync();
    }
    DurableFiles.move(fresh, file);
    return Files.size(file);
  }

  private static void write(DataOutputStream out, CRC32C crc, Bytes bytes) throws IOException {
    byte[] array = bytes.toArray();
    out.writeInt(array.length);
    out.write(array);
    crc.update(array);
  }

  /** Reads a file from its begin to its end. */
  public static final class Reader implements Closeable {
    private final Path file;
    private final CRC32C crc = new CRC32C();
    private final DataInputStream in;
    private final boolean sorted;
    private @Nullable SnapshotRecord last;
    private int count;

    /**
     * @throws JobException when it is no snapshot of the table
     */
    public Reader(Path file, String table, int buffer) throws IOException {
      this.file = file;
      this.in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file), buffer));
      try {
        if (in.readInt() != MAGIC) {
          throw damaged("It is no snapshot.");
        }
        sorted = in.readBoolean();
        String of = new Decoder(read(in.readInt())).text();
        if (!of.equals(table)) {
          throw damaged("It is of table " + of + ", not of " + table + ".");
        }
      } catch (EOFException | IllegalArgumentException e) {
        in.close();
        throw damaged("Its begin is missing.");
      } catch (IOException | RuntimeException e) {
        in.close();
        throw e;
      }
    }

    /**
     * The next record; null at the end, when all that was read is known to be whole.
     *
     * @throws JobException when the file is truncated, damaged, or unsorted where it should not be
     */
    public @Nullable SnapshotRecord next() throws IOException {
      try {
        int length = in.readInt();
        if (length == END) {
          end();
          return null;
        }
        SnapshotRecord record = SnapshotRecord.decode(read(length));
        if (sorted && last != null && SnapshotRecord.ORDER.compare(last, record) > 0) {
          throw damaged("Its records are not in order.");
        }
        last = record;
        count++;
        return record;
      } catch (EOFException e) {
        throw damaged("It is truncated.");
      } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
        throw damaged("It is corrupt: " + e.getMessage());
      }
    }

    private void end() throws IOException {
      int written = in.readInt();
      if (written != count || in.readLong() != crc.getValue() || in.read() >= 0) {
        throw damaged("Its checksum does not match.");
      }
    }

    private Bytes read(int length) throws IOException {
      if (length < 0 || length > LONGEST) {
        throw damaged("It is corrupt: a record of " + length + " bytes.");
      }
      byte[] bytes = in.readNBytes(length);
      if (bytes.length < length) {
        throw damaged("It is truncated.");
      }
      crc.update(bytes);
      return Bytes.wrap(bytes);
    }

    private JobException damaged(String why) {
      return new JobException(
          "The snapshot "
              + file
              + " cannot be used, and nothing of it was. "
              + why
              + " Cancel the job and load again.");
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
