package io.braid.spark;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/**
 * Hadoop's local file system under the name {@code slow://}, where files are slow to begin, and
 * those of the first task fail as soon as another one writes.
 */
public final class SlowFiles extends FilterFileSystem {
  static final long MILLIS = 1000;
  private static final CountDownLatch OTHER_WRITES = new CountDownLatch(1);

  public SlowFiles() {
    super(
        new RawLocalFileSystem() {
          @Override
          public URI getUri() {
            return URI.create("slow:///");
          }

          @Override
          public String getScheme() {
            return "slow";
          }
        });
  }

  @Override
  public String getScheme() {
    return "slow";
  }

  @Override
  public FSDataOutputStream create(
      Path file,
      FsPermission permission,
      boolean overwrite,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress)
      throws IOException {
    if (file.toString().contains("/task-0-")) {
      awaitOther();
      throw new IOException("broken, on purpose");
    }
    OTHER_WRITES.countDown();
    // A write to a disk is not interrupted either.
    for (long end = System.nanoTime() + MILLIS * 1_000_000; System.nanoTime() < end; ) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
    return super.create(file, permission, overwrite, bufferSize, replication, blockSize, progress);
  }

  private static void awaitOther() throws IOException {
    try {
      OTHER_WRITES.await();
    } catch (InterruptedException e) {
      throw new InterruptedIOException();
    }
  }
}
