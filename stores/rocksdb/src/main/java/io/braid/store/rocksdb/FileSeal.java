package io.braid.store.rocksdb;

import io.braid.core.data.Bytes;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.runtime.DurableFiles;
import io.braid.core.runtime.UninterruptedWork;
import io.braid.core.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * The description of a sorted file, in a file {@code NAME.seal} beside it: family, length,
 * checksum. The seal is written when the sorted file is finished, so a file without a seal is
 * unfinished. The sorted file itself is left as RocksDB wants it, so that it can be moved in.
 *
 * @param minVersion the lowest version of a cell
 * @param maxVersion the highest version of a cell
 */
record FileSeal(
    String table,
    String family,
    long cells,
    long minVersion,
    long maxVersion,
    long length,
    long checksum) {
  private static final long MAGIC = 0x42524149445F5353L;
  private static final int VERSION = 2;
  private static final int LONGEST = 64 << 10;

  static Path path(Path file) {
    return file.resolveSibling(file.getFileName() + ".seal");
  }

  void write(Path file) throws IOException {
    Bytes body =
        new Encoder()
            .int64(MAGIC)
            .u8(VERSION)
            .text(table)
            .text(family)
            .varint(cells)
            .varint(minVersion)
            .varint(maxVersion)
            .varint(length)
            .int64(checksum)
            .finish();
    byte[] sealed = new Encoder().raw(body).int64(checksum(body)).finish().toArray();
    DurableFiles.write(path(file), sealed);
  }

  /** Reads the seal of a file and verifies the file by it. */
  static FileSeal verified(Path file) {
    try {
      FileSeal seal = read(file);
      if (Files.size(file) != seal.length || checksum(file) != seal.checksum) {
        throw new StoreException(
            "The sorted file " + file + " is truncated or corrupt. Write it again.");
      }
      return seal;
    } catch (IOException e) {
      throw new StoreException("The sorted file " + file + " cannot be read.", e);
    }
  }

  private static FileSeal read(Path file) throws IOException {
    Path path = path(file);
    if (!Files.exists(file) || !Files.exists(path) || Files.size(path) > LONGEST) {
      throw new StoreException(
          "The sorted file " + file + " is missing or was not finished. Write it again.");
    }
    try {
      Bytes all = Bytes.wrap(Files.readAllBytes(path));
      Bytes body = all.slice(0, all.length() - Long.BYTES);
      Decoder from = new Decoder(body);
      if (from.int64() != MAGIC || all.longAt(body.length()) != checksum(body)) {
        throw new IllegalArgumentException("No seal, or a damaged one.");
      }
      int version = from.u8();
      if (version != VERSION) {
        throw new StoreException(
            "The seal "
                + path
                + " has version "
                + version
                + ", and this release reads "
                + VERSION
                + ". Write the file again.");
      }
      FileSeal seal =
          new FileSeal(
              from.text(),
              from.text(),
              from.varint(),
              from.varint(),
              from.varint(),
              from.varint(),
              from.int64());
      from.end();
      return seal;
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new StoreException("The seal " + path + " is corrupt. Write the file again.", e);
    }
  }

  /** The CRC-32C of a file. */
  static long checksum(Path file) throws IOException {
    return UninterruptedWork.again(() -> checksumOnce(file));
  }

  private static long checksumOnce(Path file) throws IOException {
    CRC32C crc = new CRC32C();
    ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      while (channel.read(buffer.clear()) >= 0) {
        crc.update(buffer.flip());
      }
    }
    return crc.getValue();
  }

  private static long checksum(Bytes body) {
    CRC32C crc = new CRC32C();
    crc.update(body.toBuffer());
    return crc.getValue();
  }
}
