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
   * The content of a segment.
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

  /**
   * Returns a block of entries, in pieces that must not be changed.
   *
   * @param number counts the blocks of the segment from 1 on
   */
  static List<Bytes> block(int number, List<LogEntry> entries) {
    List<Bytes> payload = new ArrayList<>();
    Encoder to = new Encoder(entries.size() * 64);
    for (LogEntry entry : entries) {
      List<Bytes> pieces = entry.pieces();
      to.varint(length(pieces));
      for (Bytes piece : pieces) {
        if (piece.length() < LogEntry.LONG_VALUE) {
          to.raw(piece);
        } else {
          payload.add(to.finish());
          payload.add(piece);
          to = new Encoder();
        }
      }
    }
    payload.add(to.finish());
    int length = length(payload);
    CRC32C crc = checksum(number, length);
    payload.forEach(piece -> piece.addTo(crc));
    ByteBuffer head = ByteBuffer.allocate(BLOCK_HEAD);
    head.putInt(BLOCK_MAGIC).putInt(number).putInt(length).putLong(crc.getValue());
    List<Bytes> block = new ArrayList<>(payload.size() + 1);
    block.add(Bytes.wrap(head.array()));
    block.addAll(payload);
    return block;
  }

  private static int length(List<Bytes> pieces) {
    long length = 0;
    for (Bytes piece : pieces) {
      length += piece.length();
    }
    return Math.toIntExact(length);
  }

  private static CRC32C checksum(int number, int length) {
    CRC32C crc = new CRC32C();
    crc.update(ByteBuffer.allocate(8).putInt(number).putInt(length).flip());
    return crc;
  }

  /**
   * Reads a segment.
   *
   * @param file where it is, in words for operators
   * @param last whether nothing was written after it: then a crash may have left a torn last block
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
    CRC32C crc = checksum(number, length);
    crc.update(bytes.array(), position + BLOCK_HEAD, length);
    long sum = crc.getValue();
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
