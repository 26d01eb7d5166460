package io.braid.server.coordination;

import io.braid.core.data.Bytes;

/** A small durable value that all processes see, and that changes by compare-and-set. */
public interface Register {
  /**
   * What stands in a register.
   *
   * @param revision another one after each change; -1 when it was never written
   */
  record Entry(long revision, Bytes value) {
    public static final Entry NONE = new Entry(-1, Bytes.EMPTY);
  }

  /**
   * What stands there now.
   *
   * @throws io.braid.core.store.TabletUnavailableException when it cannot be read
   */
  Entry read();

  /**
   * Replaces what was read, unless somebody else did first; then false.
   *
   * @throws io.braid.core.store.TabletUnavailableException when it is not known which
   */
  boolean replace(Entry expected, Bytes value);
}
