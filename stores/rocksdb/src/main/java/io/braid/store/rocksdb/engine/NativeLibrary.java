package io.braid.store.rocksdb.engine;

import io.braid.core.runtime.UninterruptedWork;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDB;
import org.rocksdb.util.Environment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads the native library of RocksDB, once per process, before anything of RocksDB is touched.
 *
 * <p>RocksDB by itself unpacks it from its jar into a new temporary file at every start, which
 * takes a fifth of a second, and which a process that is killed leaves behind: 17 MB each time.
 * Here it is unpacked once, into {@code ~/.cache/braid} ({@code $XDG_CACHE_HOME/braid}), and its
 * checksum is compared with that in the jar at every start. Where that does not work, RocksDB's own
 * way is taken.
 */
final class NativeLibrary {
  private static final Logger LOG = LoggerFactory.getLogger(NativeLibrary.class);

  private NativeLibrary() {}

  static void load() {
    Path directory = unpacked();
    if (directory != null) {
      try {
        RocksDB.loadLibrary(List.of(directory.toString()));
        return;
      } catch (UnsatisfiedLinkError e) {
        LOG.debug("The unpacked library cannot be loaded.", e);
      }
    }
    RocksDB.loadLibrary();
  }

  /** The directory that holds the unpacked library; null when it could not be unpacked. */
  private static @Nullable Path unpacked() {
    URL resource =
        RocksDB.class.getClassLoader().getResource(Environment.getJniLibraryFileName("rocksdb"));
    if (resource == null) {
      return null;
    }
    try {
      URLConnection connection = resource.openConnection();
      if (!(connection instanceof JarURLConnection jar)) {
        return null;
      }
      long checksum = jar.getJarEntry().getCrc();
      Path directory = cache().resolve(String.format("rocksdbjni-%08x", checksum));
      // The name that RocksDB.loadLibrary looks for in a directory; not the one in the jar.
      Path library = directory.resolve(Environment.getJniLibraryFileName("rocksdbjni"));
      if (!Files.exists(library) || checksum(library) != checksum) {
        unpack(jar, library);
      }
      return checksum(library) == checksum ? directory : null;
    } catch (IOException e) {
      LOG.debug("The native library is unpacked by RocksDB.", e);
      return null;
    }
  }

  private static Path cache() {
    String base = System.getenv("XDG_CACHE_HOME");
    return base == null || base.isBlank()
        ? Path.of(System.getProperty("user.home"), ".cache", "braid")
        : Path.of(base, "braid");
  }

  private static void unpack(JarURLConnection jar, Path library) throws IOException {
    Path directory = Files.createDirectories(library.toAbsolutePath().getParent());
    Path fresh = Files.createTempFile(directory, "unpacking", ".tmp");
    try {
      try (InputStream packed = jar.getInputStream()) {
        Files.copy(packed, fresh, StandardCopyOption.REPLACE_EXISTING);
      }
      Files.move(fresh, library, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }

  private static long checksum(Path file) throws IOException {
    return UninterruptedWork.again(() -> checksumOnce(file));
  }

  private static long checksumOnce(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      CRC32 crc = new CRC32();
      crc.update(channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size()));
      return crc.getValue();
    }
  }
}
