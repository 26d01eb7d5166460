package io.braid.serving.chunk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Which files this process has mapped, under whatever name they have now. A file that is mapped
 * must not become shorter: a read beyond its end is no error that could be caught everywhere, but
 * may end the process.
 */
public final class MappedFiles {
  private static final ConcurrentMap<Object, Integer> COUNTS = new ConcurrentHashMap<>();

  private MappedFiles() {}

  /** Notes that a file is about to be mapped. */
  static Object enter(Path file) throws IOException {
    Object key = identity(file);
    Object identity = key == null ? file : key;
    COUNTS.merge(identity, 1, Integer::sum);
    return identity;
  }

  /** Notes that it is not mapped any more. */
  static void leave(Object identity) {
    COUNTS.computeIfPresent(identity, (key, count) -> count == 1 ? null : count - 1);
  }

  /** Whether a file may be mapped here; yes, where the system cannot tell files apart. */
  public static boolean has(Path file) throws IOException {
    Object identity = identity(file);
    return identity == null || COUNTS.containsKey(identity);
  }

  private static @Nullable Object identity(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
        .fileKey();
  }
}
