package io.braid.serving.chunk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The files that this process has mapped, whatever their names are now. A mapped file must not
 * become shorter. A read beyond its end may end the process, and cannot be caught everywhere.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
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

  /**
   * Returns whether a file may be mapped here. Returns true where the system cannot distinguish
   * files.
   */
  public static boolean has(Path file) throws IOException {
    Object identity = identity(file);
    return identity == null || COUNTS.containsKey(identity);
  }

  private static @Nullable Object identity(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
        .fileKey();
  }
}
