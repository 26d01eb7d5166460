package io.braid.serving.chunk;

import io.braid.core.data.Bytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.apiguardian.api.API;

/**
 * Writes a chunk: tuples come in the order of their hashes, each key once. Data is written as it
 * comes; what the index needs of each tuple waits in a scratch file, because the index depends on
 * how many there are and how long. So memory stays small, and the same tuples make the same bytes.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class ChunkWriter implements AutoCloseable {
  private static final int CHECKSUM = 4;

  /**
   * The most keys that may have one hash of 64 bits. By chance, practically no two keys have one.
   */
  private static final int ALIKE = 8;

  private final IndexKind kind;
  private final Placement place;
  private final ChunkName name;
  private final Path directory;
  private final FileSink data;
  private final TupleList list;
  private final TupleGroups groups;
  private final Compression compression;
  private final BlockWriter blocks;
  private final long seed;
  private byte[] encoded = new byte[1024];
  private long records;
  private int shortest = Integer.MAX_VALUE;
  private int longest;
  private long last;
  private int alike;
  private boolean crowded;

  /** The name and the digests of a chunk that was written. */
  public record WrittenChunk(ChunkName name, long records, FileDigest data, FileDigest index) {}

  /**
   * @param seed by which tuples stand, of {@link CrowdedChunkException}; 0: by their hashes
   * @param compression of blocks, when they are of that kind; values come as they are to stand
   */
  public ChunkWriter(
      IndexKind kind,
      Compression compression,
      Placement place,
      ChunkName name,
      Path directory,
      long seed)
      throws IOException {
    this.seed = seed;
    this.compression = compression;
    this.kind = kind;
    this.place = place;
    this.name = name;
    this.directory = directory;
    this.data = new FileSink(directory.resolve(name.data()), Footer.DATA_MAGIC);
    this.list = new TupleList(directory.resolve("." + name + ".list"));
    this.groups = new TupleGroups(this::writeGroup);
    this.blocks = new BlockWriter(compression, data, list);
  }

  /**
   * Adds a tuple, which {@link Limits#check} has let in before its value was packed.
   *
   * @param rest {@link #rest} of the key; never below the one before, in unsigned order
   */
  public void add(long rest, Bytes key, Bytes value) throws IOException {
    alike = rest == last ? alike + 1 : 1;
    last = rest;
    crowded |= alike > ALIKE;
    if (crowded) {
      // A crowded chunk is written again later; its tuples must not gather in memory.
      groups.end();
      blocks.end();
    }
    if (kind == IndexKind.SORTED) {
      groups.add(rest, key, value);
      return;
    }
    if (kind == IndexKind.BLOCKS) {
      blocks.add(rest, key, value);
      records++;
      return;
    }
    int length = encode(key, value, 0);
    list.add(rest, length);
    shortest = Math.min(shortest, length);
    longest = Math.max(longest, length);
    write(length);
  }

  /** Returns the hash by which a key is found in a chunk with a seed. */
  public static long rest(long seed, Bytes key) {
    return SeededHash.of(seed, key.toArray(), 0, key.length());
  }

  /**
   * Writes the index and makes both files durable.
   *
   * @throws CrowdedChunkException when too many keys have one hash: the files are to be deleted
   */
  public WrittenChunk finish() throws IOException {
    groups.end();
    blocks.end();
    Footer footer =
        new Footer(
            kind,
            place,
            name.partition(),
            name.chunk(),
            records,
            0,
            least(),
            lengthWidth(),
            data.bodyChecksum(),
            seed);
    FileDigest dataDigest = data.finish(footer);
    try (FileSink index = new FileSink(directory.resolve(name.index()), Footer.INDEX_MAGIC)) {
      if (kind == IndexKind.BUCKETS) {
        crowded |= !new BucketIndexWriter(index, footer).write(list.read());
      } else {
        new SortedIndexWriter(index).write(list.read());
      }
      if (crowded) {
        throw new CrowdedChunkException(name, SeededHash.seed(dataDigest));
      }
      return new WrittenChunk(name, records, dataDigest, index.finish(footer));
    }
  }

  private int lengthWidth() {
    return switch (kind) {
      case BUCKETS -> Bucket.lengthWidth(least(), longest);
      case SORTED -> 0;
      case BLOCKS -> compression.code();
    };
  }

  private int least() {
    return records == 0 || kind != IndexKind.BUCKETS ? 0 : shortest;
  }

  private void writeGroup(long rest, Iterable<TupleGroups.Tuple> tuples, int collided)
      throws IOException {
    list.add(rest, (int) data.position());
    byte[] number = {(byte) collided, (byte) (collided >> 8)};
    data.add(number, 0, SortedBlock.GROUP);
    int i = 0;
    for (TupleGroups.Tuple tuple : tuples) {
      write(encode(tuple.key(), tuple.value(), SortedBlock.salt(collided, i++)));
    }
  }

  private void write(int length) throws IOException {
    if (data.position() + length > Limits.CHUNK) {
      throw new IllegalArgumentException(
          "Chunk " + name + " would pass 2 GiB. Build the store with more chunks.");
    }
    data.add(encoded, 0, length);
    records++;
  }

  private int encode(Bytes key, Bytes value, int salt) {
    int at = CHECKSUM + Tuples.width(key.length()) + Tuples.width(value.length());
    int length = at + key.length() + value.length();
    if (length > encoded.length) {
      encoded = new byte[Math.max(length, 2 * encoded.length)];
    }
    varint(varint(CHECKSUM, key.length()), value.length());
    key.copyTo(encoded, at);
    value.copyTo(encoded, at + key.length());
    CRC32C crc = new CRC32C();
    crc.update(encoded, CHECKSUM, length - CHECKSUM);
    int checksum = (int) crc.getValue() ^ salt;
    for (int i = 0; i < CHECKSUM; i++) {
      encoded[i] = (byte) (checksum >>> (8 * i));
    }
    return length;
  }

  private int varint(int at, int value) {
    int next = at;
    int rest = value;
    while (rest >= 0x80) {
      encoded[next++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    encoded[next++] = (byte) rest;
    return next;
  }

  @Override
  public void close() throws IOException {
    data.close();
    list.close();
    Files.deleteIfExists(directory.resolve("." + name + ".list"));
  }
}
