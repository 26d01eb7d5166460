package io.braid.serving.fetch;

import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.NoSuchFileException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.UnsupportedFileSystemException;
import org.jspecify.annotations.Nullable;

/** A folder that Hadoop's client reads; a class of its own, since the client may not be there. */
final class HadoopFolder implements Source {
  private final FileSystem files;
  private final Path folder;

  private HadoopFolder(FileSystem files, Path folder) {
    this.files = files;
    this.folder = folder;
  }

  static Source open(URI from) throws IOException {
    Path folder = new Path(from);
    try {
      return new HadoopFolder(folder.getFileSystem(new Configuration()), folder);
    } catch (UnsupportedFileSystemException e) {
      throw HadoopSource.missing(from, e);
    } catch (RuntimeException e) {
      throw isMissing(e) ? HadoopSource.missing(from, e) : e;
    }
  }

  /** Hadoop has a name for the class that reads a scheme, as for s3a, and does not find it. */
  private static boolean isMissing(@Nullable Throwable failure) {
    return failure != null
        && (failure instanceof ClassNotFoundException || isMissing(failure.getCause()));
  }

  @Override
  public InputStream open(String name, long offset) throws IOException {
    Path file = new Path(folder, name);
    FSDataInputStream in;
    try {
      in = files.open(file);
    } catch (FileNotFoundException e) {
      throw new NoSuchFileException(file.toString());
    }
    try {
      in.seek(offset);
      return in;
    } catch (EOFException e) {
      in.close();
      return InputStream.nullInputStream();
    } catch (IOException e) {
      in.close();
      throw e;
    }
  }

  @Override
  public String toString() {
    return folder.toString();
  }
}
