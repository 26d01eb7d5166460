package io.braid.serving.fetch;

import java.io.IOException;
import java.net.URI;
import java.util.ServiceConfigurationError;

/**
 * A folder in a file system that Hadoop's client reaches, such as {@code hdfs://name/dir} (section
 * 4.3) or {@code s3a://bucket/dir}. The class path must have the client, and what the scheme needs;
 * where the file system is and how to log in stand in Hadoop's own {@code core-site.xml} there.
 */
public final class HadoopSource {
  private HadoopSource() {}

  /**
   * Opens a file system.
   *
   * @param from with a scheme that Hadoop's client knows
   * @throws IllegalArgumentException when the class path does not have what it takes
   */
  public static Source open(URI from) throws IOException {
    try {
      return HadoopFolder.open(from);
    } catch (LinkageError | ServiceConfigurationError e) {
      throw missing(from, e);
    }
  }

  static IllegalArgumentException missing(URI from, Throwable cause) {
    return new IllegalArgumentException(
        "There is nothing on the class path that reads "
            + from
            + ": put Hadoop's client there (hadoop-client-api and -runtime, for s3a also"
            + " hadoop-aws and the AWS SDK that its pom names), or fetch from a directory or an http address.",
        cause);
  }
}
