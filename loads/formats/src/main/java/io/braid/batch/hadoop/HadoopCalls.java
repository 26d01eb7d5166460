package io.braid.batch.hadoop;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.spi.FileSystemProvider;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.FileStatus;
import org.jspecify.annotations.Nullable;

/**
 * File operations as calls of Hadoop's file system. Operations that loads and exports never use,
 * and that a provider may omit, are not implemented.
 */
final class HadoopCalls extends FileSystemProvider {
  private final org.apache.hadoop.fs.FileSystem files;

  HadoopCalls(org.apache.hadoop.fs.FileSystem files) {
    this.files = files;
  }

  private static org.apache.hadoop.fs.Path of(Path path) {
    return ((HadoopPath) path).path;
  }

  private FileStatus status(Path path) throws IOException {
    try {
      return files.getFileStatus(of(path));
    } catch (FileNotFoundException e) {
      NoSuchFileException none = new NoSuchFileException(path.toString());
      none.initCause(e);
      throw none;
    }
  }

  @Override
  public String getScheme() {
    return files.getScheme();
  }

  @Override
  public SeekableByteChannel newByteChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    if (options.stream().anyMatch(each -> each != StandardOpenOption.READ)) {
      throw new UnsupportedOperationException("Files of Hadoop are written as streams.");
    }
    return new HadoopChannel(files.open(of(path)), status(path).getLen());
  }

  @Override
  public OutputStream newOutputStream(Path path, OpenOption... options) throws IOException {
    boolean anew = Arrays.asList(options).contains(StandardOpenOption.CREATE_NEW);
    return files.create(of(path), !anew);
  }

  @Override
  public void delete(Path path) throws IOException {
    status(path);
    files.delete(of(path), false);
  }

  @Override
  public void move(Path source, Path target, CopyOption... options) throws IOException {
    if (files.exists(of(target))) {
      if (!Arrays.asList(options).contains(StandardCopyOption.REPLACE_EXISTING)) {
        throw new FileAlreadyExistsException(target.toString());
      }
      files.delete(of(target), false);
    }
    if (!files.rename(of(source), of(target))) {
      throw new IOException(source + " cannot be renamed to " + target + ".");
    }
  }

  @Override
  public void checkAccess(Path path, AccessMode... modes) throws IOException {
    status(path);
  }

  @Override
  public <A extends BasicFileAttributes> A readAttributes(
      Path path, Class<A> type, LinkOption... options) throws IOException {
    if (type != BasicFileAttributes.class) {
      throw new UnsupportedOperationException("Files of Hadoop have no " + type + ".");
    }
    return type.cast(new HadoopAttributes(status(path)));
  }

  @Override
  public boolean isSameFile(Path path, Path other) {
    return path.equals(other);
  }

  @Override
  public FileSystem newFileSystem(URI uri, Map<String, ?> settings) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileSystem getFileSystem(URI uri) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Path getPath(URI uri) {
    throw new UnsupportedOperationException();
  }

  @Override
  public DirectoryStream<Path> newDirectoryStream(
      Path path, DirectoryStream.Filter<? super Path> filter) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void createDirectory(Path path, FileAttribute<?>... attributes) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void copy(Path source, Path target, CopyOption... options) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean isHidden(Path path) {
    return false;
  }

  @Override
  public FileStore getFileStore(Path path) {
    throw new UnsupportedOperationException();
  }

  @Override
  public <V extends FileAttributeView> @Nullable V getFileAttributeView(
      Path path, Class<V> type, LinkOption... options) {
    return null;
  }

  @Override
  public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void setAttribute(Path path, String attribute, Object value, LinkOption... options) {
    throw new UnsupportedOperationException();
  }
}
