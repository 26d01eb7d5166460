package io.braid.batch.hadoop;

import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.List;
import java.util.Set;

/** A file system of Hadoop, which stays open: Hadoop shares it within the process. */
final class HadoopFiles extends FileSystem {
  final org.apache.hadoop.fs.FileSystem files;
  private final HadoopCalls calls;

  HadoopFiles(org.apache.hadoop.fs.FileSystem files) {
    this.files = files;
    this.calls = new HadoopCalls(files);
  }

  @Override
  public FileSystemProvider provider() {
    return calls;
  }

  @Override
  public Path getPath(String first, String... more) {
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(first);
    for (String each : more) {
      path = new org.apache.hadoop.fs.Path(path, each);
    }
    return new HadoopPath(this, files.makeQualified(path));
  }

  @Override
  public void close() {}

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public boolean isReadOnly() {
    return false;
  }

  @Override
  public String getSeparator() {
    return "/";
  }

  @Override
  public Iterable<Path> getRootDirectories() {
    return List.of();
  }

  @Override
  public Iterable<FileStore> getFileStores() {
    return List.of();
  }

  @Override
  public Set<String> supportedFileAttributeViews() {
    return Set.of("basic");
  }

  @Override
  public PathMatcher getPathMatcher(String pattern) {
    throw new UnsupportedOperationException();
  }

  @Override
  public UserPrincipalLookupService getUserPrincipalLookupService() {
    throw new UnsupportedOperationException();
  }

  @Override
  public WatchService newWatchService() {
    throw new UnsupportedOperationException();
  }
}
