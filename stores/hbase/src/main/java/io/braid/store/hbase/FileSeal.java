package io.braid.store.hbase;

import io.braid.core.data.Bytes;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.store.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * The description of a sorted file, in a file of the same name with {@code .seal} beside it. It
 * contains the table, the family and the number of the cells, and a checksum over the sorted file.
 *
 * <pre>
 *   8 bytes   "BRAIDHF1"
 *   seal      table, family (texts), cells, highest version, length and CRC-32C of the file (8 bytes each)
 *   8 bytes   CRC-32C of the seal
 * </pre>
 */
record FileSeal(
    String table, String family, long cells, long maxVersion, long length, long checksum) {
  private static final byte[] MAGIC = "BRAIDHF1".getBytes(StandardCharsets.US_ASCII);
  private static final int MOST = 1 << 16;

  static Path path(Path file) {
    return file.resolveSibling(file.getFileName() + ".seal");
  }

  /** Seals a file that is written, and syncs both. */
  static void seal(Path file, String table, String family, long cells, long maxVersion)
      throws IOException {
    long length = Files.size(file);
    byte[] seal =
        new FileSeal(table, family, cells, maxVersion, length, checksum(file)).encode().toArray();
    ByteBuffer bytes = ByteBuffer.allocate(MAGIC.length + seal.length + Long.BYTES);
    bytes.put(MAGIC).put(seal).putLong(checksum(seal)).flip();
    try (FileChannel data = FileChannel.open(file, StandardOpenOption.WRITE);
        FileChannel out =
            FileChannel.open(path(file), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      data.force(true);
      while (bytes.hasRemaining()) {
        out.write(bytes);
      }
      out.force(true);
    }
  }

  /**
   * @throws StoreException when the file is not there, was cut or changed, or is something else
   */
  static FileSeal verify(Path file) {
    FileSeal seal;
    try {
      seal = read(path(file));
    } catch (IOException | RuntimeException e) {
      throw new StoreException(
          "The file " + file + " is no sorted file for HBase: its seal is missing or broken.", e);
    }
    try {
      if (Files.size(file) != seal.length || checksum(file) != seal.checksum) {
        throw new StoreException("The file " + file + " is truncated or corrupt. Write it again.");
      }
    } catch (IOException e) {
      throw new StoreException("The file " + file + " cannot be read.", e);
    }
    return seal;
  }

  private static FileSeal read(Path file) throws IOException {
    if (Files.size(file) > MOST) {
      throw new IOException("The seal is too long.");
    }
    byte[] all = Files.readAllBytes(file);
    int end = all.length - Long.BYTES;
    if (end < MAGIC.length || !Arrays.equals(all, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
      throw new IOException("This is no seal.");
    }
    byte[] seal = Arrays.copyOfRange(all, MAGIC.length, end);
    if (ByteBuffer.wrap(all).getLong(end) != checksum(seal)) {
      throw new IOException("The seal is broken.");
    }
    return decode(Bytes.wrap(seal));
  }

  private static long checksum(Path file) throws IOException {
    CRC32C sum = new CRC32C();
    byte[] buffer = new byte[1 << 16];
    try (InputStream in = Files.newInputStream(file)) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        sum.update(buffer, 0, read);
      }
    }
    return sum.getValue();
  }

  private static long checksum(byte[] bytes) {
    CRC32C sum = new CRC32C();
    sum.update(bytes);
    return sum.getValue();
  }

  private Bytes encode() {
    return new Encoder(96)
        .text(table)
        .text(family)
        .int64(cells)
        .int64(maxVersion)
        .int64(length)
        .int64(checksum)
        .finish();
  }

  private static FileSeal decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    FileSeal seal =
        new FileSeal(
            from.text(), from.text(), from.int64(), from.int64(), from.int64(), from.int64());
    from.end();
    return seal;
  }
}
