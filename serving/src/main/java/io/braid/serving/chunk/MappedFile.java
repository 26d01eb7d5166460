package io.braid.serving.chunk;

import io.braid.core.runtime.UninterruptedWork;
import io.braid.serving.ServingException;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * A file of a chunk, mapped for reading. Only the operating system caches its content (section
 * 4.1).
 *
 * <p>{@link #close} unmaps at once: the caller closes the file only after the last read.
 */
final class MappedFile implements AutoCloseable {
  private static final int LINE = 64;

  /** Beyond it the processor has noticed by itself which lines come next. */
  private static final int TOUCHED = 2048;

  private static final MethodHandle UNMAP = unmap();

  final Path file;
  final ByteBuffer bytes;
  final Footer footer;
  private final Object identity;

  private MappedFile(Path file, ByteBuffer bytes, Footer footer, Object identity) {
    this.file = file;
    this.bytes = bytes;
    this.footer = footer;
    this.identity = identity;
  }

  static MappedFile open(Path file, long magic) throws IOException {
    Object identity = MappedFiles.enter(file);
    try {
      return UninterruptedWork.again(() -> open(file, magic, identity));
    } catch (IOException | RuntimeException e) {
      MappedFiles.leave(identity);
      throw e;
    }
  }

  private static MappedFile open(Path file, long magic, Object identity) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      long size = channel.size();
      if (size < Footer.HEADER + Footer.BYTES || size > Integer.MAX_VALUE) {
        throw ServingException.damaged(file, "a file of a chunk cannot have " + size + " bytes");
      }
      MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, size);
      mapped.order(ByteOrder.LITTLE_ENDIAN);
      try {
        return new MappedFile(file, mapped, footer(file, mapped, magic), identity);
      } catch (RuntimeException e) {
        release(mapped);
        throw e;
      }
    }
  }

  private static Footer footer(Path file, ByteBuffer mapped, long magic) {
    if ((mapped.getLong(0) ^ magic) << 8 == 0 && mapped.getLong(0) != magic) {
      throw ServingException.damaged(
          file, "it is of a format that this Braid does not read; build the version again");
    }
    if (mapped.getLong(0) != magic || mapped.getLong(8) != 0) {
      throw ServingException.damaged(file, "it does not begin as this kind of file does");
    }
    byte[] end = new byte[Footer.BYTES];
    mapped.get(mapped.limit() - Footer.BYTES, end);
    Footer footer;
    try {
      footer = Footer.decoded(end);
    } catch (IllegalArgumentException e) {
      throw ServingException.damaged(file, String.valueOf(e.getMessage()));
    }
    if (footer.body() != mapped.limit() - Footer.HEADER - Footer.BYTES) {
      throw ServingException.damaged(file, "its length is not the one it was written with");
    }
    return footer;
  }

  /** Where the body ends and the footer begins. */
  int end() {
    return bytes.limit() - Footer.BYTES;
  }

  /** CRC-32C of the bytes from {@code from} up to {@code to}. */
  int checksum(int from, int to) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.duplicate().limit(to).position(from));
    return (int) crc.getValue();
  }

  /**
   * Reads one byte of each cache line, as far as {@link #TOUCHED} bytes go. No such read waits for
   * another one, so memory brings several lines at a time; what then goes through the bytes in
   * order, as a checksum does, would have waited for one line after the other.
   */
  void touch(int from, int to) {
    int sum = 0;
    for (int at = from + LINE; at < Math.min(to, from + TOUCHED); at += LINE) {
      sum += bytes.get(at);
    }
    if (sum == Integer.MIN_VALUE) {
      // Never: but the compiler does not know, and so does not leave the reads out.
      throw corrupt("bytes of impossible values");
    }
  }

  ServingException corrupt(String what) {
    return ServingException.damaged(file, what);
  }

  @Override
  public void close() {
    release(bytes);
    MappedFiles.leave(identity);
  }

  private static void release(ByteBuffer mapped) {
    try {
      UNMAP.invoke(mapped);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("A file cannot be unmapped.", e);
    }
  }

  /** The JDK's own way to unmap before the garbage collector does; there is no public one. */
  private static MethodHandle unmap() {
    try {
      Class<?> type = Class.forName("sun.misc.Unsafe");
      Field instance = type.getDeclaredField("theUnsafe");
      instance.setAccessible(true);
      return MethodHandles.lookup()
          .findVirtual(type, "invokeCleaner", MethodType.methodType(void.class, ByteBuffer.class))
          .bindTo(instance.get(null));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("This Java cannot unmap files.", e);
    }
  }
}
