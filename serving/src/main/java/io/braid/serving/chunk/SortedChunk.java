package io.braid.serving.chunk;

/**
 * The paper's index (section 4.1): eight bytes of MD5 and the offset of the tuples with that hash,
 * sorted; see {@link SortedEntries}. The data file has, for each hash, the number of tuples that
 * collided and then these tuples.
 *
 * <p>A key is absent in two cases only: two adjacent entries enclose its hash, or no tuple with its
 * hash has the key. The checksums of these entries are compared before the key is reported absent.
 */
final class SortedChunk extends MappedChunk {
  private final SortedEntries entries;

  SortedChunk(MappedFile data, MappedFile index, Search search) {
    super(data, index);
    this.entries = new SortedEntries(index, search);
  }

  @Override
  long find(byte[] key, int offset, int length, long rest) {
    int i = entries.notBelow(rest);
    if (i < entries.count() && entries.hash(i) == rest) {
      long location = among(entries.number(i), key, offset, length);
      if (location == Location.ABSENT) {
        entries.verifyEntry(i);
      }
      return location;
    }
    entries.verifyEnclosed(i - 1, rest);
    if (i > 0 && entries.hash(i - 1) == rest) {
      throw index.corrupt("its entries are not in order");
    }
    return Location.ABSENT;
  }

  private long among(int group, byte[] key, int offset, int length) {
    if (group < Footer.HEADER || group > data.end() - SortedBlock.GROUP) {
      throw index.corrupt("an entry points outside of the data");
    }
    int collided = data.bytes.getShort(group) & 0xFFFF;
    int at = group + SortedBlock.GROUP;
    for (int i = 0; i == 0 || i < collided; i++) {
      long location = tuples.match(at, key, offset, length, SortedBlock.salt(collided, i));
      if (location != Location.ABSENT) {
        return location;
      }
      at = tuples.end(at);
    }
    return Location.ABSENT;
  }

  @Override
  void verifyIndex() {
    entries.verify();
  }

  @Override
  TupleCursor cursor() {
    return new TupleCursor() {
      private int at;
      private int next = Footer.HEADER;
      private int left;

      @Override
      boolean next() {
        at = next;
        if (at >= data.end()) {
          return false;
        }
        if (left == 0) {
          left = data.bytes.getShort(at) & 0xFFFF;
          at += SortedBlock.GROUP;
        }
        left--;
        next = tuples.end(at);
        return true;
      }

      @Override
      int end() {
        return next;
      }

      @Override
      byte[] key() {
        return tuples.key(at);
      }
    };
  }
}
