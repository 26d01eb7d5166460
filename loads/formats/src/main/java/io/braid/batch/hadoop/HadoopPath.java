package io.braid.batch.hadoop;

import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import org.jspecify.annotations.Nullable;

/**
 * An absolute path in a file system of Hadoop, complete with scheme and authority. Supports the
 * operations that {@link java.nio.file.Files} needs to read, write, move and remove one file and
 * its siblings, and no others.
 */
final class HadoopPath implements Path {
  private final HadoopFiles system;
  final org.apache.hadoop.fs.Path path;

  HadoopPath(HadoopFiles system, org.apache.hadoop.fs.Path path) {
    this.system = system;
    this.path = path;
  }

  private HadoopPath of(org.apache.hadoop.fs.Path other) {
    return new HadoopPath(system, other);
  }

  @Override
  public FileSystem getFileSystem() {
    return system;
  }

  @Override
  public boolean isAbsolute() {
    return true;
  }

  @Override
  public @Nullable Path getRoot() {
    return null;
  }

  /** A path of its own, without a place. */
  @Override
  public Path getFileName() {
    return Path.of(path.getName());
  }

  @Override
  public @Nullable Path getParent() {
    org.apache.hadoop.fs.Path parent = path.getParent();
    return parent == null ? null : of(parent);
  }

  @Override
  public int getNameCount() {
    return path.depth();
  }

  @Override
  public Path getName(int index) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Path subpath(int begin, int end) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean startsWith(Path other) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean endsWith(Path other) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Path normalize() {
    return this;
  }

  @Override
  public Path resolve(Path other) {
    return other instanceof HadoopPath ? other : resolve(other.toString());
  }

  @Override
  public Path resolve(String other) {
    return of(new org.apache.hadoop.fs.Path(path, other));
  }

  @Override
  public Path resolveSibling(String other) {
    return of(new org.apache.hadoop.fs.Path(path.getParent(), other));
  }

  @Override
  public Path relativize(Path other) {
    throw new UnsupportedOperationException();
  }

  @Override
  public URI toUri() {
    return path.toUri();
  }

  @Override
  public Path toAbsolutePath() {
    return this;
  }

  @Override
  public Path toRealPath(LinkOption... options) {
    return this;
  }

  @Override
  public WatchKey register(
      WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int compareTo(Path other) {
    return toString().compareTo(other.toString());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof HadoopPath same && same.path.equals(path);
  }

  @Override
  public int hashCode() {
    return path.hashCode();
  }

  /** Returns the path as users type it; an address without a host has three slashes. */
  @Override
  public String toString() {
    URI uri = path.toUri();
    return uri.getScheme()
        + "://"
        + (uri.getAuthority() == null ? "" : uri.getAuthority())
        + uri.getPath();
  }
}
