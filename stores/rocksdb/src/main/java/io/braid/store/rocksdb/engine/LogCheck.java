package io.braid.store.rocksdb.engine;

import io.braid.core.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks over the log of RocksDB before it is opened, and tells a torn end from damage.
 *
 * <p>RocksDB by itself offers two modes. One stops at the first bad record, and silently loses the
 * records behind it. The other refuses every bad record, also the half-written last one that every
 * power failure may leave. Here the log is read first:
 *
 * <ul>
 *   <li>All records whole: nothing to do.
 *   <li>A bad record, and nothing whole behind it in this file or a later one: it is the last
 *       write, begun when the machine died. It is cut off and reported.
 *   <li>A bad record with whole ones behind: acknowledged writes are damaged. The store refuses to
 *       open.
 * </ul>
 *
 * <p>Then RocksDB opens in the mode that tolerates nothing.
 *
 * <p>The log is a sequence of blocks of 32 KiB. A block holds fragments: masked CRC-32C (4 bytes),
 * length (2), type (1), for recycled files the number of the log (4), data. A fragment never
 * crosses a block; fewer than 7 bytes at the end of a block are padding. A record is one fragment
 * FULL, or FIRST, any MIDDLE, LAST.
 */
final class LogCheck {
  private static final Logger LOG = LoggerFactory.getLogger(LogCheck.class);
  private static final int BLOCK = 32 << 10;
  private static final int HEADER = 7;
  private static final int RECYCLED_HEADER = 11;
  private static final int CHECKSUM_MASK = 0xA282EAD8;

  /**
   * @param wholeEnd where the last whole record before the first bad fragment ends
   * @param records how many whole records there are, those behind a bad fragment included
   * @param wholeBehind whether there are such
   */
  private record Finding(Path file, long size, long wholeEnd, int records, boolean wholeBehind) {
    boolean bad() {
      return wholeEnd < size;
    }
  }

  private LogCheck() {}

  /**
   * Cuts a torn end.
   *
   * @throws StoreException when the log is damaged
   */
  static void check(Path database) throws IOException {
    List<Path> files = logFiles(database);
    for (int i = 0; i < files.size(); i++) {
      Finding finding = inspect(files.get(i));
      if (!finding.bad()) {
        continue;
      }
      if (finding.wholeBehind || anyData(files.subList(i + 1, files.size()))) {
        throw new StoreException(
            "The log "
                + finding.file
                + " is damaged at byte "
                + finding.wholeEnd
                + ", and acknowledged writes stand behind. Restore the directory from a backup.");
      }
      cut(finding);
    }
  }

  private static List<Path> logFiles(Path database) throws IOException {
    List<Path> files = new ArrayList<>();
    if (Files.isDirectory(database)) {
      try (DirectoryStream<Path> logs = Files.newDirectoryStream(database, "*.log")) {
        logs.forEach(files::add);
      }
    }
    files.sort((a, b) -> Long.compare(number(a), number(b)));
    return files;
  }

  private static long number(Path file) {
    String name = file.getFileName().toString();
    try {
      return Long.parseLong(name.substring(0, name.indexOf('.')));
    } catch (NumberFormatException e) {
      throw new StoreException("The file " + file + " does not belong here. Remove it.", e);
    }
  }

  private static boolean anyData(List<Path> later) throws IOException {
    for (Path file : later) {
      if (inspect(file).records > 0) {
        return true;
      }
    }
    return false;
  }

  private static void cut(Finding finding) throws IOException {
    try (FileChannel channel = FileChannel.open(finding.file, StandardOpenOption.WRITE)) {
      channel.truncate(finding.wholeEnd);
      channel.force(true);
    }
    LOG.warn(
        "The log {} ends in an incomplete record, as after a power failure: {} bytes from byte {} on"
            + " were cut off.",
        finding.file,
        finding.size - finding.wholeEnd,
        finding.wholeEnd);
  }

  private static Finding inspect(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long size = channel.size();
      Reader reader = new Reader(channel, size);
      long wholeEnd = reader.wholeEnd();
      int before = reader.records;
      reader.readOn();
      return new Finding(file, size, wholeEnd, reader.records, reader.records > before);
    }
  }

  /** Reads the fragments of one file. */
  private static final class Reader {
    private final FileChannel channel;
    private final long size;
    private final ByteBuffer block = ByteBuffer.allocate(BLOCK).order(ByteOrder.LITTLE_ENDIAN);
    private long blockStart = -1;
    private long position;
    private boolean within;
    private int records;

    Reader(FileChannel channel, long size) {
      this.channel = channel;
      this.size = size;
    }

    /** Where the last whole record ends before the first bad fragment, or the file. */
    long wholeEnd() throws IOException {
      long end = 0;
      while (position < size) {
        int type = fragment();
        if (type < 0 || !follows(Part.of(type))) {
          return end;
        }
        if (!within) {
          end = position;
        }
      }
      return end;
    }

    /** Reads on behind the bad fragment that was met and counts whole records. */
    void readOn() throws IOException {
      within = false;
      while (position < size) {
        int type = fragment();
        if (type < 0) {
          within = false;
          skipBad();
        } else if (!follows(Part.of(type))) {
          within = false;
        }
      }
    }

    /** Counts the part in; false when it cannot stand here. */
    private boolean follows(Part part) {
      switch (part) {
        case FULL, FIRST -> {
          if (within) {
            return false;
          }
          within = part == Part.FIRST;
          records += within ? 0 : 1;
        }
        case MIDDLE, LAST -> {
          if (!within) {
            return false;
          }
          within = part == Part.MIDDLE;
          records += within ? 0 : 1;
        }
        case OTHER -> {}
      }
      return true;
    }

    /** Reads the fragment at the position; its type, or -1 when it is bad and not passed. */
    private int fragment() throws IOException {
      skipPadding();
      if (position >= size) {
        return Part.PADDING;
      }
      loadBlock();
      int at = (int) (position - blockStart);
      if (at + HEADER > block.limit()) {
        return -1;
      }
      int length = block.getShort(at + 4) & 0xFFFF;
      int type = block.get(at + 6) & 0xFF;
      int header = Part.recycled(type) ? RECYCLED_HEADER : HEADER;
      if (type == 0 || at + header + length > block.limit()) {
        return -1;
      }
      CRC32C crc = new CRC32C();
      crc.update(block.array(), at + 6, 1 + header - HEADER + length);
      if (masked((int) crc.getValue()) != block.getInt(at)) {
        return -1;
      }
      position += header + length;
      skipPadding();
      return type;
    }

    /** Goes behind a bad fragment if its length may be right, else to the next block. */
    private void skipBad() throws IOException {
      loadBlock();
      int at = (int) (position - blockStart);
      int rest = block.limit() - at;
      int length = rest < HEADER ? rest : block.getShort(at + 4) & 0xFFFF;
      if (rest < HEADER || block.get(at + 6) == 0 || HEADER + length >= rest) {
        position = blockStart + BLOCK;
      } else {
        position += HEADER + length;
      }
    }

    private void skipPadding() {
      long left = BLOCK - position % BLOCK;
      if (left < HEADER) {
        position = Math.min(size, position + left);
      }
    }

    private void loadBlock() throws IOException {
      long start = position - position % BLOCK;
      if (start == blockStart) {
        return;
      }
      block.clear();
      while (block.hasRemaining() && channel.read(block, start + block.position()) > 0) {}
      block.flip();
      blockStart = start;
    }

    private static int masked(int crc) {
      return ((crc >>> 15) | (crc << 17)) + CHECKSUM_MASK;
    }
  }

  /** Which part of a record a fragment is. */
  private enum Part {
    FULL,
    FIRST,
    MIDDLE,
    LAST,
    /** No part of a record: notes of RocksDB to itself. */
    OTHER;

    /** The type of the bytes between the last fragment and the end of the file. */
    static final int PADDING = 0xFF;

    private static final int RECYCLED_FULL = 5;
    private static final int RECYCLED_LAST = 8;
    private static final int RECYCLED_TIMESTAMP_SIZE = 11;
    private static final int RECYCLED_PREDECESSOR = 131;

    static Part of(int type) {
      return switch (type) {
        case 1, 5 -> FULL;
        case 2, 6 -> FIRST;
        case 3, 7 -> MIDDLE;
        case 4, 8 -> LAST;
        default -> OTHER;
      };
    }

    static boolean recycled(int type) {
      return (type >= RECYCLED_FULL && type <= RECYCLED_LAST)
          || type == RECYCLED_TIMESTAMP_SIZE
          || type == RECYCLED_PREDECESSOR;
    }
  }
}
