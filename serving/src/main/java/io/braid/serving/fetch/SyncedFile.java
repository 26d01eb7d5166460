package io.braid.serving.fetch;

import io.braid.serving.files.Throttle;
import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A file that is written from its beginning, as fast as others let it, and on the disk after {@link
 * #sync}.
 */
final class SyncedFile extends FilterOutputStream {
  /**
   * Bytes between two syncs: so the disk never has very much to do at once, for which others would
   * wait. Not fewer: the more syncs, the higher was the 99th percentile of reads beside them.
   */
  static final int BETWEEN_SYNCS = 1 << 24;

  private final FileOutputStream file;
  private final Throttle throttle;
  private long unsynced;

  SyncedFile(Path path, Throttle throttle) throws IOException {
    this(new FileOutputStream(path.toFile()), throttle);
  }

  private SyncedFile(FileOutputStream file, Throttle throttle) {
    super(new BufferedOutputStream(file, 1 << 16));
    this.file = file;
    this.throttle = throttle;
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    throttle.pass(length);
    out.write(bytes, offset, length);
    unsynced += length;
    if (unsynced >= BETWEEN_SYNCS) {
      sync();
    }
  }

  void sync() throws IOException {
    flush();
    file.getFD().sync();
    unsynced = 0;
  }
}
