package io.braid.spark;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/** Hadoop's local file system under the name {@code slow://}, where files are slow to begin. */
public final class SlowFiles extends FilterFileSystem {
  static final long MILLIS = 1000;

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
    try {
      Thread.sleep(MILLIS);
    } catch (InterruptedException e) {
      throw new InterruptedIOException("interrupted");
    }
    return super.create(file, permission, overwrite, bufferSize, replication, blockSize, progress);
  }
}
