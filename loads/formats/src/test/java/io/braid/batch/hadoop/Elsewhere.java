package io.braid.batch.hadoop;

import java.net.URI;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.RawLocalFileSystem;

/** Hadoop's local file system under the name {@code elsewhere://}. */
public final class Elsewhere extends FilterFileSystem {
  public Elsewhere() {
    super(
        new RawLocalFileSystem() {
          @Override
          public URI getUri() {
            return URI.create("elsewhere:///");
          }

          @Override
          public String getScheme() {
            return "elsewhere";
          }
        });
  }

  @Override
  public String getScheme() {
    return "elsewhere";
  }
}
