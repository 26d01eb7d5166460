package io.braid.batch.hadoop;

import io.braid.batch.input.FilePlaces;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/**
 * Files in all file systems that Hadoop knows by its configuration on the class path: {@code
 * hdfs://}, {@code s3a://} and others, if Hadoop's libraries for them are there.
 */
public final class HadoopPlaces implements FilePlaces {
  @Override
  public boolean knows(String scheme) {
    try {
      FileSystem.getFileSystemClass(scheme, new Configuration());
      return true;
    } catch (IOException | RuntimeException | LinkageError e) {
      // Hadoop itself, a class that it needs, or the library for this scheme is missing. A missing
      // library leads to an exception other than IOException if Hadoop has a name for it, as for
      // s3a.
      return false;
    }
  }

  @Override
  public Path file(String address) throws IOException {
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(address);
    FileSystem files = path.getFileSystem(new Configuration());
    return new HadoopPath(new HadoopFiles(files), files.makeQualified(path));
  }
}
