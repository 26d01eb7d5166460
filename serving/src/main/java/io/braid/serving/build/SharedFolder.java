package io.braid.serving.build;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apiguardian.api.API;

/** A folder in a file system of Hadoop's client that all tasks of a build reach. */
@API(status = API.Status.EXPERIMENTAL)
public final class SharedFolder {
  private final FileSystem files;
  private final Path path;

  private SharedFolder(FileSystem files, Path path) {
    this.files = files;
    this.path = path;
  }

  public static SharedFolder of(Path path, Configuration settings) throws IOException {
    return new SharedFolder(path.getFileSystem(settings), path);
  }

  /** A folder within it. */
  public SharedFolder in(String name) {
    return new SharedFolder(files, new Path(path, name));
  }

  /** That of a node, within it. */
  SharedFolder node(int id) {
    return in("node-" + id);
  }

  /** The names of what is in it; none if it is not there. */
  public List<String> names() throws IOException {
    List<String> names = new ArrayList<>();
    try {
      for (FileStatus each : files.listStatus(path)) {
        names.add(each.getPath().getName());
      }
    } catch (FileNotFoundException e) {
      return List.of();
    }
    return names;
  }

  public void create() throws IOException {
    if (!files.mkdirs(path)) {
      throw new IOException("Folder " + path + " cannot be made.");
    }
  }

  /** Copies a local file into it. */
  void copy(java.nio.file.Path from, String name) throws IOException {
    files.copyFromLocalFile(false, true, new Path(from.toUri()), new Path(path, name));
  }

  /** Writes a file. */
  void write(String name, byte[] content) throws IOException {
    Path target = new Path(path, name);
    Path draft = new Path(path, "_" + name);
    try (FSDataOutputStream out = files.create(draft, true)) {
      out.write(content);
      out.hsync();
    }
    files.delete(target, false);
    move(draft, target);
  }

  /** Reads a file of at most {@code limit} bytes. */
  byte[] read(String name, int limit) throws IOException {
    try (InputStream in = files.open(new Path(path, name))) {
      byte[] content = in.readNBytes(limit + 1);
      if (content.length > limit) {
        throw new BadManifestException(new Path(path, name) + " is too long.");
      }
      return content;
    }
  }

  /** Moves a file from another folder into this one, unless that was done before. */
  void take(SharedFolder from, String name) throws IOException {
    Path target = new Path(path, name);
    if (!files.exists(target)) {
      move(new Path(from.path, name), target);
    }
  }

  /** Puts the whole folder where another one is, which goes. */
  public void replace(SharedFolder other) throws IOException {
    other.delete();
    files.mkdirs(other.path.getParent());
    move(path, other.path);
  }

  private void move(Path from, Path to) throws IOException {
    if (!files.rename(from, to)) {
      throw new IOException("File " + from + " cannot be renamed to " + to + ".");
    }
  }

  public void delete() throws IOException {
    files.delete(path, true);
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
