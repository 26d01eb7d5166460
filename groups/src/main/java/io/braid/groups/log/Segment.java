package io.braid.groups.log;

import io.braid.core.data.Bytes;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * A file of the log: a head, then blocks, each a batch of entries with its checksum. Its format is
 * described in {@code docs/formats/groups.md}.
 */
final class Segment {
  private static final long MAGIC = 0x42524149_44474C31L; // BRAIDGL1
  private static final int BLOCK_MAGIC = 0x424C4B31;
  static final int HEAD = 24;
  private static final int BLOCK_HEAD = 20;
  private static final int LONGEST_BLOCK = 1 << 30;

  /**
   * What was found in a segment.
   *
   * @param end where the last whole block ends
   * @param torn whether something follows that is no whole block
   */
  record Content(List<LogEntry> entries, long end, boolean torn) {}

  private Segment() {}

  static byte[] head(int lane, long number) {
    ByteBuffer head = ByteBuffer.allocate(HEAD);
    head.putLong(MAGIC).putInt(lane).putLong(number);
    CRC32C crc = new CRC32C();
    crc.update(head.array(), 0, head.position());
    return head.putInt((int) crc.getValue()).array();
  }

  /** A block of entries; {@code number} counts the blocks of the segment from 1 on. */
  static byte[] block(int number, List<LogEntry> entries) {
    Encoder to = new Encoder(entries.size() * 64);
    for (LogEntry entry : entries) {
      Encoder one = new Encoder(entry.size());
      entry.encode(one);
      to.bytes(one.finish());
    }
    byte[] payload = to.finish().toArray();
    ByteBuffer block = ByteBuffer.allocate(BLOCK_HEAD + payload.length);
    block.putInt(BLOCK_MAGIC).putInt(number).putInt(payload.length);
    block.putLong(checksum(number, payload, 0, payload.length));
    return block.put(payload).array();
  }

  private static long checksum(int number, byte[] bytes, int from, int length) {
    CRC32C crc = new CRC32C();
    crc.update(ByteBuffer.allocate(8).putInt(number).putInt(length).flip());
    crc.update(bytes, from, length);
    return crc.getValue();
  }

  /**
   * Reads a segment.
   *
   * @param file where it is, in words for operators
   * @param last whether nothing was written after it: then a torn last block is what a crash left
   */
  static Content read(String file, byte[] all, boolean last) {
    ByteBuffer bytes = ByteBuffer.wrap(all);
    if (all.length < HEAD || !isHead(all)) {
      if (last && all.length <= HEAD) {
        return new Content(List.of(), 0, all.length > 0);
      }
      throw new LogBrokenException(
          "The head of " + file + " is damaged: restore the file from a copy.", null);
    }
    List<LogEntry> entries = new ArrayList<>();
    int position = HEAD;
    int number = 1;
    while (position < all.length) {
      int length = blockLength(bytes, position, number);
      if (length < 0) {
        refuseDamage(file, bytes, position, number, last);
        return new Content(entries, position, true);
      }
      Bytes payload = Bytes.wrap(all, position + BLOCK_HEAD, length);
      Decoder from = new Decoder(payload);
      while (from.remaining() > 0) {
        entries.add(LogEntry.decode(new Decoder(from.bytes())));
      }
      position += BLOCK_HEAD + length;
      number++;
    }
    return new Content(entries, position, false);
  }

  private static boolean isHead(byte[] all) {
    ByteBuffer head = ByteBuffer.wrap(all, 0, HEAD);
    CRC32C crc = new CRC32C();
    crc.update(all, 0, HEAD - Integer.BYTES);
    return head.getLong() == MAGIC && head.getInt(HEAD - Integer.BYTES) == (int) crc.getValue();
  }

  /** The length of the payload of a whole block; -1 when there is none. */
  private static int blockLength(ByteBuffer bytes, int position, int number) {
    if (bytes.limit() - position < BLOCK_HEAD || bytes.getInt(position) != BLOCK_MAGIC) {
      return -1;
    }
    int length = bytes.getInt(position + 8);
    if (bytes.getInt(position + 4) != number
        || length < 0
        || length > LONGEST_BLOCK
        || length > bytes.limit() - position - BLOCK_HEAD) {
      return -1;
    }
    long sum = checksum(number, bytes.array(), position + BLOCK_HEAD, length);
    return bytes.getLong(position + 12) == sum ? length : -1;
  }

  /** A block that was written after a damaged one shows that it was whole once. */
  private static void refuseDamage(
      String file, ByteBuffer bytes, int position, int number, boolean last) {
    boolean whole = !last;
    for (int at = position + 1; !whole && at <= bytes.limit() - BLOCK_HEAD; at++) {
      if (bytes.getInt(at) == BLOCK_MAGIC) {
        int later = bytes.getInt(at + 4);
        whole = later > number && blockLength(bytes, at, later) >= 0;
      }
    }
    if (whole) {
      throw new LogBrokenException(
          "Block "
              + number
              + " of "
              + file
              + " is damaged, and it is not the last one: commits of groups that were acknowledged"
              + " are lost. Restore the file from a copy.",
          null);
    }
  }
}
