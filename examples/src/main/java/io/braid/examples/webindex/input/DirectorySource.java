package io.braid.examples.webindex.input;

import io.braid.core.data.Bytes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The pages in a directory and below, in the order of their paths. Links to directories are not
 * followed; a link to a file counts as that file, unless it leads out of the directory.
 */
final class DirectorySource implements PageSource {
  private final Path directory;
  private final PageUrl base;

  DirectorySource(Path directory, PageUrl base) {
    this.directory = directory;
    this.base = base;
  }

  @Override
  public String name() {
    return directory.toString();
  }

  @Override
  public void read(PageSink sink) {
    try {
      Path root = directory.toRealPath();
      for (Path file : files(root)) {
        read(root, file, sink);
      }
    } catch (IOException | UncheckedIOException e) {
      throw new InputException("Directory " + directory + " cannot be read: " + e, e);
    }
  }

  private static List<Path> files(Path root) throws IOException {
    try (Stream<Path> walk = Files.walk(root)) {
      return walk.filter(file -> PageSource.isPage(String.valueOf(file.getFileName())))
          .filter(Files::isRegularFile)
          .sorted()
          .toList();
    }
  }

  private void read(Path root, Path file, PageSink sink) throws IOException {
    if (!file.toRealPath().startsWith(root)) {
      sink.skipped(file.toString(), "is a link that leads out of the directory");
      return;
    }
    byte[] body;
    try (InputStream in = Files.newInputStream(file)) {
      body = in.readNBytes(MAX_PAGE_BYTES + 1);
    }
    if (body.length > MAX_PAGE_BYTES) {
      sink.skipped(file.toString(), "is larger than " + MAX_PAGE_BYTES + " bytes");
      return;
    }
    String relative =
        root.relativize(file).toString().replace(file.getFileSystem().getSeparator(), "/");
    PageUrl url = base.file(relative);
    if (url.toString().length() > PageUrl.MAX_LENGTH) {
      sink.skipped(file.toString(), "has an address longer than " + PageUrl.MAX_LENGTH);
      return;
    }
    sink.page(new RawPage(url, base.toString(), Bytes.wrap(body), ""));
  }
}
