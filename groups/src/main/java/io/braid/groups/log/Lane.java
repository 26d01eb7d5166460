package io.braid.groups.log;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.Seams;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One writer of the log with files of its own. A file is removed when all its entries have been
 * shipped: the position that each group keeps in the store is its checkpoint.
 */
final class Lane {
  /** The bytes of a block at most, except that its last entry may exceed them. */
  static final long MOST_BLOCK_BYTES = 16 << 20;

  private static final int TRIES = 50;
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final LogFolder folder;
  private final Seams seams;
  private final byte[] buffer = new byte[64 << 10];
  private final int number;
  private final boolean synced;
  private final long segmentBytes;
  private final GroupCommit commits;
  private final Object files = new Object();
  private final Map<String, Map<Long, Long>> needed = new LinkedHashMap<>();
  private LogFolder.@Nullable OpenFile open;
  private @Nullable String current;
  private long segments;
  private long written;
  private int blocks;

  Lane(LogFolder folder, int number, boolean synced, long segmentBytes, Seams seams) {
    this.folder = folder;
    this.number = number;
    this.synced = synced;
    this.segmentBytes = segmentBytes;
    this.seams = seams;
    this.commits = new GroupCommit(seams, this::write);
  }

  GroupCommit commits() {
    return commits;
  }

  /** A file of an earlier life. */
  void keep(String file, long segment, List<LogEntry> entries) {
    synchronized (files) {
      segments = Math.max(segments, segment);
      Map<Long, Long> positions = new HashMap<>();
      entries.forEach(e -> positions.merge(e.group(), e.position(), Math::max));
      needed.put(file, positions);
    }
  }

  /** Called by one thread at a time. */
  private Map<Long, Long> write(List<GroupCommit.PendingEntry> pending) {
    List<LogEntry> batch = pending.stream().map(GroupCommit.PendingEntry::entry).toList();
    if (batch.isEmpty()) {
      return Map.of();
    }
    try {
      int from = 0;
      while (from < batch.size()) {
        int to = end(batch, from);
        LogFolder.OpenFile file = writePatiently(batch.subList(from, to));
        // One block at a time: a whole block after a torn one would make the torn one look whole.
        file.force(synced);
        from = to;
      }
      folder.requireUnsealed();
      need(batch);
      return Map.of();
    } catch (IOException e) {
      throw new UncheckedIOException("The log of the groups cannot be written: " + e, e);
    }
  }

  /**
   * Writes a block. If the disk is full or memory ends, the writer takes the partial block back and
   * tries again for a while. The threads that wait for the block do not notice. If the partial
   * block cannot be taken back, the log is broken. A failure of {@link LogFolder.OpenFile#force}
   * also breaks the log: then it is unknown which data reached the disk.
   */
  private LogFolder.OpenFile writePatiently(List<LogEntry> entries) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      for (int tries = 1; ; tries++) {
        try {
          LogFolder.OpenFile file = open;
          if (file == null || written > segmentBytes) {
            file = roll();
          }
          written += write(file, Segment.block(blocks + 1, entries));
          blocks++;
          return file;
        } catch (IOException | OutOfMemoryError e) {
          takeBack(e);
          if (tries == TRIES) {
            throw e;
          }
        }
        seams.sleep(PAUSE);
        interrupted |= Thread.interrupted();
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void takeBack(Throwable why) throws IOException {
    LogFolder.OpenFile file = open;
    if (file != null) {
      try {
        file.cut(Segment.HEAD + written);
      } catch (IOException e) {
        throw new IOException(why + " " + e.getMessage(), why);
      }
    }
  }

  /**
   * @return how many bytes these are
   */
  private long write(LogFolder.OpenFile file, List<Bytes> pieces) throws IOException {
    long all = 0;
    int filled = 0;
    for (Bytes piece : pieces) {
      int from = 0;
      while (from < piece.length()) {
        int to = Math.min(piece.length(), from + buffer.length - filled);
        // Mostly the whole of it.
        (to - from == piece.length() ? piece : piece.slice(from, to)).copyTo(buffer, filled);
        filled += to - from;
        all += to - from;
        from = to;
        if (filled == buffer.length) {
          file.write(buffer, filled);
          filled = 0;
        }
      }
    }
    file.write(buffer, filled);
    return all;
  }

  /**
   * Returns the end of the block that begins here. Blocks are bounded because a reader does not
   * trust every length.
   */
  private static int end(List<LogEntry> batch, int from) {
    int to = from;
    long bytes = 0;
    while (to < batch.size() && bytes < MOST_BLOCK_BYTES) {
      bytes += batch.get(to++).size();
    }
    return to;
  }

  private LogFolder.OpenFile roll() throws IOException {
    LogFolder.OpenFile old = open;
    if (old != null) {
      old.close();
      // If the next one cannot be made, there is nothing left to be closed.
      open = null;
    }
    String name = Segments.name(number, segments + 1);
    LogFolder.OpenFile file = folder.create(name);
    try {
      file.write(Segment.head(number, segments + 1), Segment.HEAD);
      file.force(true); // that it is there is noted durably
      folder.keep(name);
      open = file;
    } finally {
      if (open == null) {
        file.close();
      }
    }
    written = 0;
    blocks = 0;
    synchronized (files) {
      segments++;
      current = name;
      needed.put(name, new HashMap<>());
      removeShipped();
    }
    return file;
  }

  private void need(List<LogEntry> batch) {
    synchronized (files) {
      Map<Long, Long> positions = needed.get(current);
      if (positions != null) {
        batch.forEach(e -> positions.merge(e.group(), e.position(), Math::max));
      }
    }
  }

  void shipped(long group, long position) {
    synchronized (files) {
      needed.values().forEach(at -> at.computeIfPresent(group, (g, p) -> p <= position ? null : p));
      removeShipped();
    }
  }

  /** Whether a file has entries that are not shipped. */
  boolean isNeeded() {
    synchronized (files) {
      return needed.values().stream().anyMatch(at -> !at.isEmpty());
    }
  }

  /** The order of the files is kept: an older one that is needed keeps the newer ones. */
  private void removeShipped() {
    for (String file : List.copyOf(needed.keySet())) {
      Map<Long, Long> positions = needed.get(file);
      if (file.equals(current) || positions == null || !positions.isEmpty()) {
        return;
      }
      try {
        folder.delete(file);
        needed.remove(file);
      } catch (IOException e) {
        return; // The next round tries again; meanwhile it only takes space.
      }
    }
  }

  void close() {
    try {
      LogFolder.OpenFile file = open;
      if (file != null) {
        file.force(true);
        file.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("The log of the groups cannot be closed: " + e, e);
    }
  }
}
