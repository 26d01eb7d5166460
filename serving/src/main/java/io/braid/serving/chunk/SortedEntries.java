package io.braid.serving.chunk;

import io.braid.serving.ServingException;
import java.nio.ByteBuffer;

/**
 * Hashes in their order, each with a number: the index of {@link SortedChunk} and of {@link
 * BlockChunk}, searched by halves or by interpolation (section 4.2.2).
 *
 * <p>Entries are in blocks of 256 bytes with a checksum each. A damaged entry may lead a search
 * astray. But the place of a hash is certain when the two adjacent entries that enclose it are
 * intact.
 */
final class SortedEntries {
  private final MappedFile index;
  private final ByteBuffer entries;
  private final int count;
  private final Search search;

  SortedEntries(MappedFile index, Search search) {
    this.index = index;
    this.entries = index.bytes;
    this.search = search;
    long body = index.footer.body();
    long blocks = body / SortedBlock.BYTES;
    if (body % SortedBlock.BYTES != 0) {
      throw index.corrupt("it has no whole number of blocks");
    }
    this.count = blocks == 0 ? 0 : lastBlock((int) blocks);
  }

  /** The number of entries: full blocks, and what the last one says it holds. */
  private int lastBlock(int blocks) {
    verifyBlock(blocks - 1);
    int full = (blocks - 1) * SortedBlock.ENTRIES;
    int n = 0;
    while (n < SortedBlock.ENTRIES && number(full + n) != 0) {
      n++;
    }
    return full + n;
  }

  int count() {
    return count;
  }

  long hash(int i) {
    return entries.getLong(SortedBlock.position(i));
  }

  int number(int i) {
    return entries.getInt(SortedBlock.position(i) + 8);
  }

  /** The first entry that is not below {@code rest}, in unsigned order, or the count. */
  int notBelow(long rest) {
    return search == Search.BINARY ? halves(rest) : interpolated(rest);
  }

  private int halves(long rest) {
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Long.compareUnsigned(hash(middle), rest) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /**
   * As {@link #halves}; the guess is where the hash would stand if those between the two ends were
   * spread evenly. Guesses that do not halve the range soon give way to halving, so that damaged
   * entries cannot make the search long.
   */
  private int interpolated(long rest) {
    int low = 0;
    int high = count;
    double least = 0;
    double most = 0x1p64;
    double wanted = unsigned(rest);
    for (int step = 0; low < high; step++) {
      int guess = (low + high) >>> 1;
      if (step < 16 && most > least) {
        int even = low + (int) ((wanted - least) / (most - least) * (high - low));
        guess = Math.max(low, Math.min(high - 1, even));
      }
      long hash = hash(guess);
      if (hash == rest) {
        return guess;
      }
      if (Long.compareUnsigned(hash, rest) < 0) {
        low = guess + 1;
        least = unsigned(hash);
      } else {
        high = guess;
        most = unsigned(hash);
      }
    }
    return low;
  }

  private static double unsigned(long number) {
    return (number >>> 1) * 2.0;
  }

  /** Whether a hash is not below entry {@code i}, and below the next one; -1 is below all. */
  boolean encloses(int i, long rest) {
    return (i < 0 || Long.compareUnsigned(hash(i), rest) <= 0)
        && (i + 1 >= count || Long.compareUnsigned(hash(i + 1), rest) > 0);
  }

  /**
   * Makes sure that {@link #encloses} holds, with checksums.
   *
   * @throws ServingException {@code DAMAGED} when it cannot be said
   */
  void verifyEnclosed(int i, long rest) {
    if (i >= 0) {
      verifyEntry(i);
    }
    if (i + 1 < count && (i < 0 || (i + 1) % SortedBlock.ENTRIES == 0)) {
      verifyEntry(i + 1);
    }
    if (!encloses(i, rest)) {
      throw index.corrupt("its entries are not in order");
    }
  }

  /** Compares the checksum over an entry. */
  void verifyEntry(int i) {
    verifyBlock(i / SortedBlock.ENTRIES);
  }

  private void verifyBlock(int block) {
    int from = Footer.HEADER + block * SortedBlock.BYTES;
    int to = from + SortedBlock.CHECKSUM;
    if ((index.checksum(from, to) ^ block) != entries.getInt(to)) {
      throw index.corrupt("the checksum of block " + block + " is wrong");
    }
  }

  void verify() {
    for (int block = 0; block < index.footer.body() / SortedBlock.BYTES; block++) {
      verifyBlock(block);
    }
  }
}
