package io.braid.simulation.planted;

import io.braid.core.runtime.Seams;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PositionedReadable;
import org.apache.hadoop.fs.Seekable;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.Syncable;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/**
 * A Hadoop file system that the processes of a simulation share. Each sees it through a view of its
 * own, by calls that take a while, and sometimes fail with or without an effect. What was synced is
 * seen by all; what a process had not synced when it died is lost, in part or whole. Who lost the
 * race against a seal can still append: on HDFS it could not, elsewhere it can.
 */
final class SharedFolder {
  private static final long CALL_NANOS = Duration.ofMillis(2).toNanos();
  private static final double FAILED = 0.001;
  private static final double TORN = 0.1;

  private final Map<String, byte[]> files = new TreeMap<>();
  private final TreeSet<String> folders = new TreeSet<>();
  private int made;

  /** How many files were begun. */
  int filesMade() {
    return made;
  }

  /** What one process sees of it. */
  FileSystem view(Seams seams) {
    return new View(seams);
  }

  private final class View extends FileSystem {
    private final Seams seams;

    View(Seams seams) {
      this.seams = seams;
      setConf(new Configuration(false));
    }

    private void travel() {
      seams.sleep(Duration.ofNanos(seams.random().nextLong(1, CALL_NANOS)));
    }

    private void fail() throws IOException {
      if (seams.random().nextDouble() < FAILED) {
        throw new IOException("No answer.");
      }
    }

    /** The way there, where it may get lost. */
    private void ask() throws IOException {
      travel();
      fail();
    }

    /** The way back, where the answer may. */
    private void answer() throws IOException {
      travel();
      fail();
    }

    private static String name(Path path) {
      return path.toUri().getPath();
    }

    private byte[] content(Path path) throws IOException {
      byte[] content = files.get(name(path));
      if (content == null) {
        throw new FileNotFoundException(path + " is not there.");
      }
      return content;
    }

    private FileStatus status(String name) {
      byte[] content = files.get(name);
      Path path = new Path(name);
      return content == null
          ? new FileStatus(0, true, 1, 1, 0, path)
          : new FileStatus(content.length, false, 1, 1, 0, path);
    }

    @Override
    public URI getUri() {
      return URI.create("simulated:///");
    }

    @Override
    public FSDataInputStream open(Path path, int bufferSize) throws IOException {
      ask();
      byte[] content = content(path);
      answer();
      return new FSDataInputStream(new Content(content));
    }

    @Override
    public FSDataOutputStream create(
        Path path,
        FsPermission permission,
        boolean overwrite,
        int bufferSize,
        short replication,
        long blockSize,
        Progressable progress)
        throws IOException {
      ask();
      if (!folders.contains(name(path.getParent()))) {
        throw new FileNotFoundException(path.getParent() + " is not there.");
      }
      if (files.putIfAbsent(name(path), new byte[0]) != null) {
        throw new FileAlreadyExistsException(path.toString());
      }
      made++;
      answer();
      return new FSDataOutputStream(new Writer(path), null);
    }

    @Override
    public FSDataOutputStream createNonRecursive(
        Path path,
        FsPermission permission,
        EnumSet<CreateFlag> flags,
        int bufferSize,
        short replication,
        long blockSize,
        Progressable progress)
        throws IOException {
      return create(path, permission, false, bufferSize, replication, blockSize, progress);
    }

    /** Files of a log are removed under a monitor, which nobody holds while it waits. */
    @Override
    public boolean delete(Path path, boolean recursive) throws IOException {
      boolean waits = !path.getName().startsWith("lane-");
      if (waits) {
        ask();
      }
      boolean there = files.remove(name(path)) != null;
      if (recursive) {
        there |= folders.remove(name(path));
        files.keySet().removeIf(name -> name.startsWith(name(path) + "/"));
      }
      if (waits) {
        answer();
      }
      return there;
    }

    @Override
    public FileStatus[] listStatus(Path path) throws IOException {
      ask();
      String folder = name(path);
      if (!folders.contains(folder)) {
        throw new FileNotFoundException(path + " is not there.");
      }
      List<FileStatus> all = new ArrayList<>();
      for (String each : files.keySet()) {
        if (name(new Path(each).getParent()).equals(folder)) {
          all.add(status(each));
        }
      }
      for (String each : folders) {
        if (!each.equals("/") && name(new Path(each).getParent()).equals(folder)) {
          all.add(status(each));
        }
      }
      answer();
      return all.toArray(FileStatus[]::new);
    }

    @Override
    public boolean mkdirs(Path path, FsPermission permission) throws IOException {
      ask();
      for (Path each = path; each != null; each = each.getParent()) {
        folders.add(name(each));
      }
      answer();
      return true;
    }

    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
      ask();
      boolean there = files.containsKey(name(path)) || folders.contains(name(path));
      FileStatus status = status(name(path));
      answer();
      if (!there) {
        throw new FileNotFoundException(path + " is not there.");
      }
      return status;
    }

    @Override
    public FSDataOutputStream append(Path path, int bufferSize, Progressable progress) {
      throw new UnsupportedOperationException("append");
    }

    @Override
    public boolean rename(Path from, Path to) {
      throw new UnsupportedOperationException("rename");
    }

    @Override
    public void setWorkingDirectory(Path directory) {}

    @Override
    public Path getWorkingDirectory() {
      return new Path("/");
    }

    /** What is written comes into the file when it is synced. */
    private final class Writer extends OutputStream implements Syncable, StreamCapabilities {
      private final Path path;
      private final ByteArrayOutputStream buffer = new ByteArrayOutputStream();

      Writer(Path path) {
        this.path = path;
      }

      @Override
      public void write(int b) {
        buffer.write(b);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) {
        buffer.write(bytes, offset, length);
      }

      @Override
      public void hflush() throws IOException {
        hsync();
      }

      @Override
      public void hsync() throws IOException {
        ask();
        byte[] bytes = buffer.toByteArray();
        buffer.reset();
        int first = bytes.length;
        if (seams.random().nextDouble() < TORN) {
          first = seams.random().nextInt(bytes.length + 1);
          append(bytes, 0, first);
          travel();
          append(bytes, first, bytes.length);
        } else {
          append(bytes, 0, first);
        }
        answer();
      }

      private void append(byte[] bytes, int from, int to) {
        files.computeIfPresent(
            name(path),
            (name, before) -> {
              byte[] after = Arrays.copyOf(before, before.length + to - from);
              System.arraycopy(bytes, from, after, before.length, to - from);
              return after;
            });
      }

      @Override
      public boolean hasCapability(String capability) {
        return capability.equals(StreamCapabilities.HSYNC);
      }
    }
  }

  /** The content of a file when it was opened. */
  private static final class Content extends ByteArrayInputStream
      implements Seekable, PositionedReadable {
    Content(byte[] bytes) {
      super(bytes);
    }

    @Override
    public void seek(long position) {
      pos = (int) position;
    }

    @Override
    public long getPos() {
      return pos;
    }

    @Override
    public boolean seekToNewSource(long position) {
      return false;
    }

    @Override
    public int read(long position, byte[] into, int offset, int length) {
      if (position >= count) {
        return -1;
      }
      int most = (int) Math.min(length, count - position);
      System.arraycopy(buf, (int) position, into, offset, most);
      return most;
    }

    @Override
    public void readFully(long position, byte[] into, int offset, int length) throws IOException {
      if (read(position, into, offset, length) < length) {
        throw new EOFException();
      }
    }

    @Override
    public void readFully(long position, byte[] into) throws IOException {
      readFully(position, into, 0, into.length);
    }
  }
}
