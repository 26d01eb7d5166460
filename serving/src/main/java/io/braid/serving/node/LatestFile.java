package io.braid.serving.node;

import java.io.IOException;
import java.nio.file.Path;

/**
 * The file {@code latest} of a store. It is read, changed and written by one thread at a time:
 * otherwise a pin that read it before a swap and wrote it after would take the swap back, unnoticed
 * until the node starts again. Readers of keys never come here.
 */
final class LatestFile {
  private final Path store;
  private final Object lock;

  /**
   * @param lock held by every caller that changes this file
   */
  LatestFile(Path store, Object lock) {
    this.store = store;
    this.lock = lock;
  }

  /** A change of the state. A change refuses by an exception; then nothing changes. */
  interface Change {
    LatestRecord of(LatestRecord now) throws IOException;
  }

  LatestRecord read() throws IOException {
    return LatestRecord.read(store);
  }

  /** Makes a change, also after a crash; none that changes nothing is written. */
  void change(Change change) throws IOException {
    synchronized (lock) {
      LatestRecord now = read();
      LatestRecord next = change.of(now);
      if (!next.equals(now)) {
        next.write(store);
      }
    }
  }
}
