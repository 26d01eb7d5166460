package io.braid.serving.node;

import io.braid.serving.ServingException;
import java.nio.ByteBuffer;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Reads of one thread. It keeps its lease from one read to the next and only looks each time
 * whether another version has gone live: to count oneself in and out of a version with each read
 * costs more, and keeps the processor from beginning the next read while memory answers this one.
 *
 * <p>Each read is of the version that is live when it begins. One that reads no more keeps the
 * version it read last mapped until it is closed.
 */
@API(status = API.Status.EXPERIMENTAL)
public final class StoreReader implements AutoCloseable {
  private final ServedStore store;
  private @Nullable Lease lease;

  StoreReader(ServedStore store) {
    this.store = store;
  }

  /**
   * A copy of a value; null when there is no such key.
   *
   * @throws ServingException {@code NOTHING_LIVE} when no version is live
   */
  public byte @Nullable [] get(byte[] key) {
    return lease().copy(key, 0, key.length);
  }

  /** A view of a value, valid until the next call; null when there is no such key. */
  public @Nullable ByteBuffer view(byte[] key) {
    return lease().view(key, 0, key.length);
  }

  /** The version that the last read was of; 0 before the first one. */
  public long version() {
    return lease == null ? 0 : lease.version();
  }

  private Lease lease() {
    Lease held = lease;
    return held != null && held.holds(store.live()) ? held : next();
  }

  private Lease next() {
    close();
    Lease fresh = store.lease();
    lease = fresh;
    return fresh;
  }

  /** Gives the lease back. A later read takes another one. */
  @Override
  public void close() {
    Lease held = lease;
    lease = null;
    if (held != null) {
      held.close();
    }
  }
}
