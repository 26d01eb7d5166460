package io.braid.batch.job;

import io.braid.core.data.Bytes;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Finds keys that occur more than once, before anything is written. A hash of 128 bits of each key
 * goes with its position into one of several files; equal keys meet there. Memory holds one of
 * these files at a time.
 */
final class KeyCensus implements Closeable {
  private static final int ENTRY = 32;
  private static final long PART_BYTES = 32L << 20;
  private static final int MOST_PARTS = 256;

  private final Path directory;
  private final List<DataOutputStream> parts = new ArrayList<>();
  private final MessageDigest digest;

  private record Entry(long high, long low, Position position) {}

  /** The place of a record: the number of its file, and its offset. */
  record Position(int file, long offset) {
    static final Comparator<Position> ORDER =
        Comparator.comparingInt(Position::file).thenComparingLong(Position::offset);
  }

  /**
   * @param bytes about how long the input is
   */
  KeyCensus(Path directory, long bytes) throws IOException {
    this.directory = directory;
    try {
      this.digest = MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java platform has MD5.", e);
    }
    Files.createDirectories(directory);
    int count = (int) Math.min(MOST_PARTS, 1 + bytes / PART_BYTES);
    for (int i = 0; i < count; i++) {
      parts.add(
          new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(part(i)), 1 << 14)));
    }
  }

  private Path part(int number) {
    return directory.resolve("census-" + number);
  }

  void add(Bytes key, int file, long offset) throws IOException {
    Bytes hash = Bytes.wrap(digest.digest(key.toArray()));
    long high = hash.longAt(0);
    DataOutputStream part = parts.get((int) Long.remainderUnsigned(high, parts.size()));
    part.writeLong(high);
    part.writeLong(hash.longAt(8));
    part.writeLong(file);
    part.writeLong(offset);
  }

  /** The positions of all records but the last of each key, in their order. */
  List<Position> superseded() throws IOException {
    List<Position> found = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      parts.get(i).close();
      superseded(part(i), found);
    }
    found.sort(Position.ORDER);
    return found;
  }

  private interface EntryVisitor {
    void take(long high, long low, Position position);
  }

  private static void superseded(Path part, List<Position> found) throws IOException {
    long[] highs = new long[(int) (Files.size(part) / ENTRY)];
    int[] read = new int[1];
    forEach(part, highs.length, (high, low, position) -> highs[read[0]++] = high);
    Arrays.sort(highs);
    int again = 0;
    for (int i = 1; i < highs.length; i++) {
      if (highs[i] == highs[i - 1]) {
        highs[again++] = highs[i];
      }
    }
    if (again > 0) {
      // Most inputs have no key that comes again; those that may do are looked at more closely.
      superseded(part, highs.length, Arrays.copyOf(highs, again), found);
    }
  }

  /**
   * @param again the high halves that come more than once, in order
   */
  private static void superseded(Path part, int count, long[] again, List<Position> found)
      throws IOException {
    List<Entry> entries = new ArrayList<>();
    forEach(
        part,
        count,
        (high, low, position) -> {
          if (Arrays.binarySearch(again, high) >= 0) {
            entries.add(new Entry(high, low, position));
          }
        });
    entries.sort(
        Comparator.comparingLong(Entry::high)
            .thenComparingLong(Entry::low)
            .thenComparing(Entry::position, Position.ORDER));
    for (int i = 0; i + 1 < entries.size(); i++) {
      Entry one = entries.get(i);
      Entry next = entries.get(i + 1);
      if (one.high == next.high && one.low == next.low) {
        found.add(one.position);
      }
    }
  }

  private static void forEach(Path part, int count, EntryVisitor each) throws IOException {
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(part), 1 << 16))) {
      for (int i = 0; i < count; i++) {
        each.take(in.readLong(), in.readLong(), new Position((int) in.readLong(), in.readLong()));
      }
    }
  }

  @Override
  public void close() throws IOException {
    for (int i = 0; i < parts.size(); i++) {
      parts.get(i).close();
      Files.deleteIfExists(part(i));
    }
  }
}
