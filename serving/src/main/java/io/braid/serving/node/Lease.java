package io.braid.serving.node;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.ReadProgress;
import io.braid.serving.chunk.Compression;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A reader's hold on one version: what is read through it is of that version, also while another
 * one is swapped in. For one thread; give it back soon.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class Lease implements AutoCloseable {
  private final OpenVersion open;
  private final int stripe;
  private boolean ended;

  Lease(OpenVersion open, int stripe) {
    this.open = open;
    this.stripe = stripe;
  }

  /** The version that is held. */
  public long version() {
    return open.version();
  }

  /** The schema of the values; see {@link io.braid.serving.build.Manifest}. */
  public int schema() {
    return open.manifest().schema();
  }

  /** How values are packed that {@link #stored stored} gives. */
  public Compression compression() {
    return open.compression();
  }

  /**
   * A view of a value, valid until the lease ends; null when there is no such key. Nothing is
   * copied, unless the store's values are compressed.
   */
  public @Nullable ByteBuffer view(byte[] key, int offset, int length) {
    ByteBuffer stored = stored(key, offset, length);
    if (stored == null || compression() == Compression.NONE) {
      return stored;
    }
    // Both are there while one is made of the other.
    ReadProgress.add(stored.remaining() + (long) compression().length(stored));
    return plain(stored).toBuffer();
  }

  /** A copy of what was {@link #stored stored}, unpacked. */
  public Bytes plain(ByteBuffer stored) {
    return compression().unpack(array(stored));
  }

  /** Returns a copy of the result of {@link #stored stored}, packed as it is in the file. */
  public static Bytes copied(ByteBuffer view) {
    return Bytes.wrap(array(view));
  }

  private static byte[] array(ByteBuffer view) {
    byte[] copy = new byte[view.remaining()];
    view.get(copy);
    return copy;
  }

  /**
   * Returns a view as {@link #view view} does, but packed as in the file: for callers that unpack
   * the value themselves.
   */
  public @Nullable ByteBuffer stored(byte[] key, int offset, int length) {
    requireHeld();
    ByteBuffer value = open.view(key, offset, length);
    open.sample(key, offset, length);
    return value;
  }

  /** A copy of a value in an array of its own; null when there is no such key. */
  public byte @Nullable [] copy(byte[] key, int offset, int length) {
    byte[] value = peek(key, offset, length);
    open.sample(key, offset, length);
    return value;
  }

  /** Copies as {@link #copy copy} does, but without adding to a sample of clients' reads. */
  byte @Nullable [] peek(byte[] key, int offset, int length) {
    requireHeld();
    byte[] copy = open.copy(key, offset, length);
    return copy == null || compression() == Compression.NONE
        ? copy
        : compression().unpack(copy).toArray();
  }

  /** Whether this is a hold on that version. */
  boolean holds(@Nullable OpenVersion version) {
    return open == version;
  }

  private void requireHeld() {
    if (ended) {
      throw new IllegalStateException("A lease that has ended reads nothing.");
    }
  }

  /** A copy of a value. */
  public Optional<Bytes> get(Bytes key) {
    byte[] array = key.toArray();
    return Optional.ofNullable(copy(array, 0, array.length)).map(Bytes::wrap);
  }

  @Override
  public void close() {
    if (!ended) {
      ended = true;
      open.leave(stripe);
    }
  }
}
