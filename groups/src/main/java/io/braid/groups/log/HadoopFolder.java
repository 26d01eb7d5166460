package io.braid.groups.log;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LeaseRecoverable;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder of one log in a Hadoop file system. The folder is open as long as the file {@code
 * OPEN} is in it. The writer acknowledges forced entries only if the file is still there
 * afterwards. A process that seals the log removes the file before it reads. So all acknowledged
 * entries are read.
 */
final class HadoopFolder implements LogFolder {
  private static final Logger LOG = LoggerFactory.getLogger(HadoopFolder.class);
  private static final String OPEN = "OPEN";

  private final FileSystem files;
  private final Path folder;

  HadoopFolder(FileSystem files, Path folder) {
    this.files = files;
    this.folder = folder;
  }

  String name() {
    return folder.getName();
  }

  /**
   * Makes the folder, and opens it.
   *
   * @param writer the liveness token of the process that writes here
   * @throws IllegalArgumentException when this file system does not keep files that are still being
   *     written
   */
  void open(String writer) throws IOException {
    files.mkdirs(folder);
    try (FSDataOutputStream out = files.create(new Path(folder, OPEN), false)) {
      if (!out.hasCapability("hsync")) {
        throw new IllegalArgumentException(
            "The file system of "
                + folder
                + " cannot sync a file that is being written: key groups cannot log there.");
      }
      out.writeUTF(writer);
      out.hsync();
    }
  }

  boolean isOpen() throws IOException {
    return files.exists(new Path(folder, OPEN));
  }

  /** Returns the liveness token of the writer; empty when it is not known any more, or not yet. */
  String writer() throws IOException {
    try (FSDataInputStream in = files.open(new Path(folder, OPEN))) {
      return in.available() == 0 ? "" : in.readUTF();
    } catch (FileNotFoundException e) {
      return "";
    }
  }

  /** Shuts the folder: from now on no entry written here is acknowledged. */
  void shut() throws IOException {
    files.delete(new Path(folder, OPEN), false);
    if (files instanceof LeaseRecoverable leases) {
      for (String name : names()) {
        close(leases, new Path(folder, name));
      }
    }
  }

  /** Ends the lease of a writer of HDFS, so that the length of its last block is agreed upon. */
  private static void close(LeaseRecoverable leases, Path file) throws IOException {
    if (!leases.recoverLease(file) && !leases.isFileClosed(file)) {
      throw new IOException(file + " is being recovered from its writer; try again.");
    }
  }

  @Override
  public List<String> names() throws IOException {
    List<String> names = new ArrayList<>();
    for (FileStatus each : files.listStatus(folder)) {
      if (each.isFile() && !each.getPath().getName().equals(OPEN)) {
        names.add(each.getPath().getName());
      }
    }
    return names;
  }

  @Override
  public byte[] read(String name) throws IOException {
    // The status of a file that is being written does not tell how long it is.
    try (FSDataInputStream in = files.open(new Path(folder, name))) {
      return in.readAllBytes();
    }
  }

  @Override
  public OpenFile create(String name) throws IOException {
    // Do not create parents: no file may be written into a folder that was removed.
    FSDataOutputStream out = files.createFile(new Path(folder, name)).overwrite(false).build();
    return new OpenFile() {
      @Override
      public void write(byte[] bytes, int length) throws IOException {
        out.write(bytes, 0, length);
      }

      @Override
      public void force(boolean synced) throws IOException {
        if (synced) {
          out.hsync();
        } else {
          out.hflush();
        }
      }

      @Override
      public void close() {
        try {
          out.close();
        } catch (IOException e) {
          LOG.debug("{} was closed by who has taken it over.", whereIs(name), e);
        }
      }
    };
  }

  @Override
  public void delete(String name) throws IOException {
    files.delete(new Path(folder, name), false);
  }

  /** Removes it, with all that is in it. */
  void remove() throws IOException {
    files.delete(folder, true);
  }

  @Override
  public String whereIs(String name) {
    return folder + "/" + name;
  }

  @Override
  public void requireUnsealed() throws IOException {
    if (!isOpen()) {
      throw new IOException(
          "Another process has sealed the log " + folder + ", since this one was taken for dead.");
    }
  }
}
