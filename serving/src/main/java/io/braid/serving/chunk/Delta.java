package io.braid.serving.chunk;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apiguardian.api.API;

/**
 * A data file as the difference to one of an earlier version (section 6): tuples, or blocks of
 * them, stand in the order of their hashes in both, so one walk through both finds which are the
 * same. The delta says, piece by piece, which bytes of the base to copy and which follow here.
 *
 * <p>File: {@code BRDDELT1}, then pieces: length (8 bytes; 0 ends the file), place in the base (8
 * bytes; -1: the bytes follow).
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class Delta {
  private static final long MAGIC = 0x42524444454C5431L;
  private static final int HERE = -1;
  private static final int BUFFER = 1 << 16;

  private Delta() {}

  /** Writes what turns the data file of one chunk into that of another. */
  public static void write(Path base, ChunkName baseName, Path fresh, ChunkName name, Path delta)
      throws IOException {
    try (Chunk before = Chunk.open(base, baseName, Search.BINARY);
        Chunk after = Chunk.open(fresh, name, Search.BINARY);
        DataOutputStream out =
            new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(delta)))) {
      out.writeLong(MAGIC);
      new Walk(before, after, out).run();
    }
  }

  /** One walk through two chunks. */
  private static final class Walk {
    private final Chunk before;
    private final Chunk after;
    private final DataOutputStream out;
    private long copyFrom = HERE;
    private int begin;
    private int end;

    Walk(Chunk before, Chunk after, DataOutputStream out) {
      this.before = before;
      this.after = after;
      this.out = out;
    }

    void run() throws IOException {
      Chunk.Cursor old = before.cursor();
      int oldBegin = Footer.HEADER;
      boolean more = old.next();
      int at = 0;
      int next = Footer.HEADER;
      piece(HERE, at, next);
      at = next;
      for (Chunk.Cursor fresh = after.cursor(); fresh.next(); at = next) {
        next = fresh.end();
        long rest = fresh.rest();
        while (more && Long.compareUnsigned(old.rest(), rest) < 0) {
          oldBegin = old.end();
          more = old.next();
        }
        boolean same = more && same(oldBegin, old.end(), at, next);
        piece(same ? oldBegin : HERE, at, next);
        if (same) {
          oldBegin = old.end();
          more = old.next();
        }
      }
      piece(HERE, at, after.data().limit());
      flush();
      out.writeLong(0);
    }

    private boolean same(int oldBegin, int oldEnd, int at, int next) {
      int length = next - at;
      return oldEnd - oldBegin == length
          && before.data().slice(oldBegin, length).equals(after.data().slice(at, length));
    }

    /** Adds bytes of the new file to the piece before, if they go on where it ends. */
    private void piece(long from, int at, int to) throws IOException {
      boolean goesOn = from == HERE ? copyFrom == HERE : from == copyFrom + (end - begin);
      if (!goesOn || copyFrom == HERE != (from == HERE)) {
        flush();
        begin = at;
        copyFrom = from;
      }
      end = to;
    }

    private void flush() throws IOException {
      if (end > begin) {
        out.writeLong(end - begin);
        out.writeLong(copyFrom);
        if (copyFrom == HERE) {
          copy(after.data().slice(begin, end - begin), out);
        }
        begin = end;
      }
    }
  }

  private static void copy(ByteBuffer bytes, OutputStream out) throws IOException {
    byte[] buffer = new byte[BUFFER];
    while (bytes.hasRemaining()) {
      int n = Math.min(BUFFER, bytes.remaining());
      bytes.get(buffer, 0, n);
      out.write(buffer, 0, n);
    }
  }

  /**
   * Makes a data file of its base and a delta.
   *
   * @param most bytes that it may have
   * @throws IOException when the delta is none, or does not fit the base
   */
  public static void apply(Path base, DataInputStream delta, OutputStream out, long most)
      throws IOException {
    if (delta.readLong() != MAGIC) {
      throw new IOException("This is no delta.");
    }
    long written = 0;
    try (FileChannel old =
        FileChannel.open(base, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      for (long length = delta.readLong(); length != 0; length = delta.readLong()) {
        long from = delta.readLong();
        written += length;
        boolean fits = from == HERE || (from >= 0 && from <= old.size() - length);
        if (length < 0 || length > most || written > most || !fits) {
          throw new IOException("The delta does not fit its base.");
        }
        copy(old, from, delta, length, out);
      }
    }
  }

  private static void copy(
      FileChannel old, long from, DataInputStream delta, long length, OutputStream out)
      throws IOException {
    byte[] buffer = new byte[BUFFER];
    for (long done = 0; done < length; ) {
      int n = (int) Math.min(BUFFER, length - done);
      if (from == HERE) {
        delta.readFully(buffer, 0, n);
      } else {
        ByteBuffer part = ByteBuffer.wrap(buffer, 0, n);
        while (part.hasRemaining()) {
          if (old.read(part, from + done + part.position()) < 0) {
            throw new IOException("The base is shorter than it was.");
          }
        }
      }
      out.write(buffer, 0, n);
      done += n;
    }
  }
}
