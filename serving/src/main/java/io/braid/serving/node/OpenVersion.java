package io.braid.serving.node;

import io.braid.core.failure.ErrorCode;
import io.braid.serving.ServingException;
import io.braid.serving.build.Manifest;
import io.braid.serving.chunk.Chunk;
import io.braid.serving.chunk.Compression;
import io.braid.serving.chunk.KeyHash;
import io.braid.serving.chunk.Placement;
import io.braid.serving.chunk.Search;
import io.braid.serving.files.Throttle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * A version whose files are mapped. Readers are counted. Files are unmapped only when the version
 * was retired and the last reader has gone.
 *
 * <p>A reader first counts itself in and then checks whether the version is retired. Retiring first
 * marks the version and then checks whether any reader is counted. So one of them sees the other.
 * The count is spread over cache lines, so that readers do not wait for each other.
 *
 * <p>Unmapping gigabytes takes milliseconds, and a reader would pause for that long. So the last
 * reader does not unmap the files. The caller that retired the version unmaps them when it checks
 * again. Only for a closed store does no caller check again.
 */
final class OpenVersion {
  private static final int STRIPES = 16;
  private static final int APART = 16;

  private final long version;
  private final Path directory;
  private final @Nullable Object identity;
  private final Manifest manifest;
  private final Placement place;
  private final KeyHash hash;
  private final Compression compression;
  private final @Nullable Chunk[] chunks;
  private final AtomicLongArray readers = new AtomicLongArray(STRIPES * APART);
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile boolean retired;
  private volatile boolean abandoned;
  private volatile boolean served;
  private volatile @Nullable ReadSample sample;

  private OpenVersion(long version, Path directory, Manifest manifest, @Nullable Chunk[] chunks)
      throws IOException {
    this.version = version;
    this.directory = directory;
    this.identity = identity(directory);
    this.manifest = manifest;
    this.place = manifest.place();
    this.hash = manifest.kind().hash();
    this.compression = manifest.kind().packsValues() ? manifest.compression() : Compression.NONE;
    this.chunks = chunks;
  }

  static OpenVersion open(long version, Path directory, Manifest manifest, Search search)
      throws IOException {
    Placement place = manifest.place();
    @Nullable Chunk[] chunks = new Chunk[place.partitions() * place.chunks()];
    OpenVersion open = new OpenVersion(version, directory, manifest, chunks);
    try {
      for (Manifest.Chunk listed : manifest.chunks()) {
        Chunk chunk = Chunk.open(directory, listed.name(), search);
        int slot = listed.name().partition() * place.chunks() + listed.name().chunk();
        chunks[slot] = chunk;
        if (!chunk.place().equals(place)
            || chunk.kind() != manifest.kind()
            || chunk.records() != listed.records()) {
          throw ServingException.damaged(
              directory.resolve(listed.name().index()), "it does not fit the manifest");
        }
      }
      return open;
    } catch (IOException | RuntimeException e) {
      open.unmap();
      throw e;
    }
  }

  private static @Nullable Object identity(Path directory) throws IOException {
    return Files.readAttributes(directory, BasicFileAttributes.class).fileKey();
  }

  /** Whether its files are those of this directory, and not of one that had the name before. */
  boolean isIn(Path place) {
    try {
      return Objects.equals(identity, identity(place));
    } catch (IOException e) {
      return false;
    }
  }

  long version() {
    return version;
  }

  Manifest manifest() {
    return manifest;
  }

  /** How values stand packed, each by itself. */
  Compression compression() {
    return compression;
  }

  /** Says whether readers may ask for this version: it is live, or was and was not taken back. */
  void served(boolean yes) {
    served = yes;
  }

  boolean isServed() {
    return served;
  }

  /** Lets a share of the reads be known; null: none. */
  void sample(@Nullable ReadSample reads) {
    sample = reads;
  }

  /** Counts a reader in; negative when the version is retired, else what to leave with. */
  int enter() {
    int stripe = ((int) Thread.currentThread().getId() & STRIPES - 1) * APART;
    readers.incrementAndGet(stripe);
    if (retired) {
      leave(stripe);
      return -1;
    }
    return stripe;
  }

  void leave(int stripe) {
    readers.decrementAndGet(stripe);
    if (abandoned) {
      closeIfUnused();
    }
  }

  /**
   * Lets no more readers in, and unmaps the files if the last reader has gone. If not, the caller
   * calls again later.
   *
   * @return whether the files are unmapped
   */
  boolean retire() {
    retired = true;
    closeIfUnused();
    return closed.get();
  }

  /** As {@link #retire}, for the last time: the last reader unmaps the files. */
  void abandon() {
    retired = true;
    abandoned = true;
    closeIfUnused();
  }

  /** Whether the files are unmapped. */
  boolean isClosed() {
    return closed.get();
  }

  private void closeIfUnused() {
    long sum = 0;
    for (int i = 0; i < STRIPES; i++) {
      sum += readers.get(i * APART);
    }
    if (sum == 0 && closed.compareAndSet(false, true)) {
      unmap();
    }
  }

  private void unmap() {
    for (Chunk chunk : chunks) {
      if (chunk != null) {
        chunk.close();
      }
    }
  }

  /**
   * The chunk that has a key if any has.
   *
   * @throws ServingException {@code WRONG_NODE} when this node does not hold the key's partition
   */
  private Chunk chunk(long hash) {
    int partition = place.partition(hash);
    Chunk chunk = chunks[partition * place.chunks() + place.chunk(hash)];
    if (chunk == null) {
      throw new ServingException(
          ErrorCode.WRONG_NODE,
          "Node "
              + manifest.node()
              + " does not hold partition "
              + partition
              + " of store "
              + manifest.store()
              + ". Ask one that does; the cluster's ring tells which.");
    }
    return chunk;
  }

  private long rest(Chunk chunk, long hash, byte[] key, int offset, int length) {
    return chunk.rest(place.rest(hash), key, offset, length);
  }

  /** Returns a view of the value as it is in the file; null when there is no such key. */
  @Nullable ByteBuffer view(byte[] key, int offset, int length) {
    long hash = this.hash.of(key, offset, length);
    Chunk chunk = chunk(hash);
    try {
      return chunk.view(key, offset, length, rest(chunk, hash, key, offset, length));
    } catch (InternalError e) {
      throw unreadable(e);
    }
  }

  /** As {@link #view}, copied. */
  byte @Nullable [] copy(byte[] key, int offset, int length) {
    long hash = this.hash.of(key, offset, length);
    Chunk chunk = chunk(hash);
    try {
      return chunk.copy(key, offset, length, rest(chunk, hash, key, offset, length));
    } catch (InternalError e) {
      throw unreadable(e);
    }
  }

  /** Offers a key that was read to the sample of reads. */
  void sample(byte[] key, int offset, int length) {
    ReadSample taken = sample;
    if (taken != null) {
      taken.offer(key, offset, length);
    }
  }

  /** Converts the JVM's error for a page of a mapped file that the system cannot read. */
  private ServingException unreadable(InternalError error) {
    ServingException corrupt =
        ServingException.damaged(directory, "a page cannot be read; the disk may be failing");
    corrupt.addSuppressed(error);
    return corrupt;
  }

  /** Reads every tuple and looks it up. */
  void verify() {
    for (Chunk chunk : chunks) {
      if (chunk != null) {
        chunk.verify();
      }
    }
  }

  /** Brings the index into memory, as fast as others let it. */
  int warm(Throttle throttle) {
    int sum = 0;
    for (Chunk chunk : chunks) {
      if (chunk != null) {
        sum += chunk.warm(throttle);
      }
    }
    return sum;
  }
}
