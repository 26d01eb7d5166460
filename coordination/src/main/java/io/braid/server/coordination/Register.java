package io.braid.server.coordination;

import io.braid.core.data.Bytes;

/** A small durable value that all processes see, and that changes by compare-and-set. */
public interface Register {
  /**
   * The content of a register.
   *
   * @param revision another one after each change; -1 when it was never written
   */
  record Entry(long revision, Bytes value) {
    public static final Entry NONE = new Entry(-1, Bytes.EMPTY);
  }

  /**
   * Reads the present content.
   *
   * @throws io.braid.core.store.TabletUnavailableException when it cannot be read
   */
  Entry read();

  /**
   * Replaces the content that was read. Returns false if another process replaced it first.
   *
   * @throws io.braid.core.store.TabletUnavailableException when the outcome is unknown
   */
  boolean replace(Entry expected, Bytes value);
}
