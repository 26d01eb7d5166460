package io.braid.serving.chunk;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The last 64 bytes of both files of a chunk: what the file is, and what belongs together. Written
 * last, so that a file that was cut short has none.
 *
 * @param place of the chunk: its store's partitions and chunks
 * @param records tuples in the chunk
 * @param body bytes between header and footer of this file
 * @param shortest tuple, in bytes; with {@code lengthWidth} 0 they all have this length
 * @param lengthWidth bytes for the length of a tuple in the index: 0, 1 or 2; with kind blocks how
 *     they are packed
 * @param seed of {@link SeededHash}, by which the tuples stand; 0: they stand by {@link KeyHash}
 * @param dataChecksum CRC-32C of the body of the data file; the same in both files
 */
record Footer(
    IndexKind kind,
    Placement place,
    int partition,
    int chunk,
    long records,
    long body,
    int shortest,
    int lengthWidth,
    int dataChecksum,
    long seed) {
  static final int BYTES = 64;

  /** Bytes before the body: eight that name the format, eight zeros. */
  static final int HEADER = 16;

  /**
   * Added to the code of a kind that is seeded, so that a program without support for seeds refuses
   * it.
   */
  private static final int SEEDED = 16;

  static final long DATA_MAGIC = magic("BRDDATA1");
  static final long INDEX_MAGIC = magic("BRDINDX3");

  private static long magic(String text) {
    long magic = 0;
    for (int i = 7; i >= 0; i--) {
      magic = magic << 8 | text.charAt(i);
    }
    return magic;
  }

  static byte[] header(long magic) {
    return little(HEADER).putLong(magic).array();
  }

  Footer withBody(long bytes) {
    return new Footer(
        kind, place, partition, chunk, records, bytes, shortest, lengthWidth, dataChecksum, seed);
  }

  byte[] encoded() {
    byte[] encoded = new byte[BYTES];
    ByteBuffer bytes = ByteBuffer.wrap(encoded).order(ByteOrder.LITTLE_ENDIAN);
    int code = seed == 0 ? kind.code() : kind.code() + SEEDED;
    bytes.putInt(code).putInt(place.partitions()).putInt(place.chunks());
    bytes.putInt(partition).putInt(chunk).putLong(records).putLong(body);
    bytes.putInt(shortest).putInt(lengthWidth).putInt(dataChecksum).putLong(seed);
    bytes.putInt(BYTES - 4, checksum(encoded));
    return encoded;
  }

  /**
   * Reads a footer.
   *
   * @throws IllegalArgumentException says what is wrong with it
   */
  static Footer decoded(byte[] encoded) {
    ByteBuffer bytes = little(BYTES).put(encoded).flip();
    if (bytes.getInt(BYTES - 4) != checksum(encoded)) {
      throw new IllegalArgumentException(
          "the checksum of its footer is wrong, or it was cut short");
    }
    int code = bytes.getInt();
    IndexKind kind = IndexKind.coded(code > SEEDED ? code - SEEDED : code);
    Placement place = new Placement(bytes.getInt(), bytes.getInt());
    return new Footer(
        kind,
        place,
        bytes.getInt(),
        bytes.getInt(),
        bytes.getLong(),
        bytes.getLong(),
        bytes.getInt(),
        bytes.getInt(),
        bytes.getInt(),
        code > SEEDED ? bytes.getLong() : 0);
  }

  /** That data and index were written together. */
  boolean sameChunk(Footer other) {
    return withBody(0).equals(other.withBody(0));
  }

  private static int checksum(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, BYTES - 4);
    return (int) crc.getValue();
  }

  private static ByteBuffer little(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }
}
