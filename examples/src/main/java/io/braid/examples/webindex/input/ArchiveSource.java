package io.braid.examples.webindex.input;

import io.braid.core.data.Bytes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Enumeration;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/** The pages in a jar or zip, in the order of its directory. Nothing is ever unpacked to disk. */
final class ArchiveSource implements PageSource {
  private final Path archive;
  private final PageUrl base;

  ArchiveSource(Path archive, PageUrl base) {
    this.archive = archive;
    this.base = base;
  }

  @Override
  public String name() {
    return archive.toString();
  }

  @Override
  public void read(PageSink sink) {
    try (ZipFile zip = open()) {
      for (Enumeration<? extends ZipEntry> e = zip.entries(); e.hasMoreElements(); ) {
        ZipEntry entry = e.nextElement();
        if (!entry.isDirectory() && PageSource.isPage(entry.getName())) {
          read(zip, entry, sink);
        }
      }
    } catch (IOException | IllegalArgumentException e) {
      throw new InputException(
          "Archive " + archive + " is damaged or cannot be read: " + e.getMessage(), e);
    }
  }

  /**
   * Opens the archive. Names are UTF-8. Archives of old tools have other names, which at least
   * differ when read as Latin-1.
   */
  private ZipFile open() throws IOException {
    try {
      return new ZipFile(archive.toFile(), StandardCharsets.UTF_8);
    } catch (ZipException e) {
      return new ZipFile(archive.toFile(), StandardCharsets.ISO_8859_1);
    }
  }

  private void read(ZipFile zip, ZipEntry entry, PageSink sink) throws IOException {
    String name = entry.getName();
    refuseHostile(name);
    byte[] body = body(zip, entry);
    if (body == null) {
      sink.skipped(archive + "!" + name, "is larger than " + MAX_PAGE_BYTES + " bytes");
      return;
    }
    CRC32 sum = new CRC32();
    sum.update(body);
    if (entry.getCrc() != sum.getValue()) {
      throw new InputException(
          "Archive " + archive + " is damaged: the checksum of entry " + name + " is wrong.");
    }
    PageUrl url = base.file(name);
    if (url.toString().length() > PageUrl.MAX_LENGTH) {
      sink.skipped(archive + "!" + name, "has an address longer than " + PageUrl.MAX_LENGTH);
      return;
    }
    sink.page(new RawPage(url, base.toString(), Bytes.wrap(body), ""));
  }

  private static byte @Nullable [] body(ZipFile zip, ZipEntry entry) throws IOException {
    try (InputStream in = zip.getInputStream(entry)) {
      byte[] body = in.readNBytes(MAX_PAGE_BYTES + 1);
      return body.length > MAX_PAGE_BYTES ? null : body;
    }
  }

  private void refuseHostile(String name) {
    if (name.startsWith("/") || Arrays.asList(name.split("/")).contains("..")) {
      throw new InputException(
          "Archive "
              + archive
              + " is refused: entry "
              + name
              + " points outside of it. Repack it without such entries.");
    }
  }
}
